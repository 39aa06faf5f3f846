// The reference: `main live|slots|reaching RUNS` reads a graph and prints seconds of each run, bits a set, answers.
#include <cstring>
#include <string>

#include "dense.hpp"
#include "slots.hpp"

struct Answer {
    std::vector<Word> leaving;
    std::size_t words = 0;
    int bits = 0;
};

static void row_of_union(const Answer& answer, const std::vector<int>& blocks, std::vector<Word>& row) {
    std::fill(row.begin(), row.end(), 0);
    for (int block : blocks)
        for (std::size_t at = 0; at < answer.words; ++at) row[at] |= answer.leaving[block * answer.words + at];
}

static Print print_of(const std::vector<Word>& row, const std::vector<int>& member_of) {
    Print print;
    for (std::size_t at = 0; at < row.size(); ++at)
        for (Word left = row[at]; left; left &= left - 1)
            print.add(static_cast<Word>(member_of[at * 64 + __builtin_ctzll(left)]));
    return print;
}

static Answer live(const Graph& graph, const std::vector<int>& order, const std::vector<int>& bit_of, int bits) {
    Masks masks = live_masks(graph, bit_of, static_cast<std::size_t>(bits));
    return {solve(masks, graph.after, graph.before, order), masks.words, bits};
}

static std::vector<int> identity(int count) {
    std::vector<int> found(count);
    for (int one = 0; one < count; ++one) found[one] = one;
    return found;
}

static Answer run(const std::string& what, const Graph& graph, const std::vector<int>& order,
                  const std::vector<int>& backwards) {
    if (what == "live") return live(graph, backwards, identity(graph.cells), graph.cells);
    if (what == "slots") {
        Slots slots(Layout(graph, order).spans(), graph.size());
        return live(graph, backwards, slots.of_cell, slots.count);
    }
    Definitions definitions(graph);
    Masks masks = reaching_masks(graph, definitions);
    int bits = static_cast<int>(definitions.instruction.size());
    return {solve(masks, graph.before, graph.after, order), masks.words, bits};
}

static void say(int block, const Print& print) {
    std::printf("%d %llu %llu\n", block, static_cast<unsigned long long>(print.members),
                static_cast<unsigned long long>(print.sum));
}

static void say_live(const Graph& graph, const Answer& answer, const std::vector<int>& order, const Slots& slots) {
    std::vector<int> cell_of(answer.words * 64);
    std::vector<Word> row(answer.words);
    for (std::size_t place = 0; place < order.size(); ++place) {
        for (int cell : slots.begins[place]) cell_of[slots.of_cell[cell]] = cell;
        row_of_union(answer, graph.after[order[place]], row);
        say(order[place], print_of(row, cell_of));
    }
}

static void say_reaching(const Graph& graph, const Answer& answer) {
    const Definitions definitions(graph);
    std::vector<Word> row(answer.words);
    for (int block = 0; block < graph.size(); ++block) {
        row_of_union(answer, {block}, row);
        say(block, print_of(row, definitions.instruction));
    }
}

static Slots one_bit_each(const Graph& graph) {
    Slots slots({std::vector<int>(graph.cells, 0), std::vector<int>(graph.cells, graph.size() - 1)}, graph.size());
    slots.of_cell = identity(graph.cells);
    return slots;
}

int main(int count, char** arguments) {
    if (count < 3) return 2;
    const std::string what = arguments[1];
    const Graph graph = read_graph(stdin);
    const std::vector<int> order = reverse_post_order(graph), backwards(order.rbegin(), order.rend());
    Answer answer;
    for (int left = std::atoi(arguments[2]); left > 0; --left) {
        answer = Answer();
        double start = cpu_seconds();
        answer = run(what, graph, order, backwards);
        std::printf("%.9f ", cpu_seconds() - start);
    }
    std::printf("\n%d\n", answer.bits);
    if (what == "reaching") say_reaching(graph, answer);
    else if (what == "live") say_live(graph, answer, order, one_bit_each(graph));
    else say_live(graph, answer, order, Slots(Layout(graph, order).spans(), graph.size()));
    return 0;
}
