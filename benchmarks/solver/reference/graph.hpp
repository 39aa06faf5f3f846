// A control-flow graph with flat instructions, read as numbers; orders; processor time; fingerprints of answers.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

using Word = std::uint64_t;
using Lists = std::vector<std::vector<int>>;

struct Graph {
    int cells = 0;
    Lists after, before;
    std::vector<int> first;      // of each block: its first instruction; one more at the end
    std::vector<int> reads_end;  // of each instruction: where its reads end in `reads`
    std::vector<int> reads;
    std::vector<int> write;      // the cell that an instruction writes, or -1

    int size() const { return static_cast<int>(after.size()); }
    int reads_begin(int op) const { return op ? reads_end[op - 1] : 0; }
};

inline int number(std::FILE* file) {
    int found;
    if (std::fscanf(file, "%d", &found) != 1) std::exit(2);
    return found;
}

// cells blocks, then for each block: the number of its successors and these, the number of its instructions, and for
// each of these the number of its reads, the reads, and what it writes.
inline Graph read_graph(std::FILE* file) {
    Graph graph;
    graph.cells = number(file);
    int blocks = number(file);
    graph.after.resize(blocks);
    graph.before.resize(blocks);
    for (int block = 0; block < blocks; ++block) {
        for (int left = number(file); left; --left) {
            int target = number(file);
            graph.after[block].push_back(target);
            graph.before[target].push_back(block);
        }
        graph.first.push_back(static_cast<int>(graph.write.size()));
        for (int left = number(file); left; --left) {
            for (int more = number(file); more; --more) graph.reads.push_back(number(file));
            graph.reads_end.push_back(static_cast<int>(graph.reads.size()));
            graph.write.push_back(number(file));
        }
    }
    graph.first.push_back(static_cast<int>(graph.write.size()));
    return graph;
}

inline std::vector<int> reverse_post_order(const Graph& graph) {
    std::vector<int> order, next(graph.size(), 0), work{0};
    std::vector<char> seen(graph.size(), 0);
    seen[0] = 1;
    while (!work.empty()) {
        int block = work.back();
        if (next[block] == static_cast<int>(graph.after[block].size())) {
            order.push_back(block);
            work.pop_back();
            continue;
        }
        int target = graph.after[block][next[block]++];
        if (!seen[target]) {
            seen[target] = 1;
            work.push_back(target);
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

inline double cpu_seconds() {
    std::timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The finaliser of splitmix64; the sum of the patterns of all members does not depend on their order.
inline Word mixed(Word member) {
    Word pattern = member + 0x9E3779B97F4A7C15ULL;
    pattern = (pattern ^ (pattern >> 30)) * 0xBF58476D1CE4E5B9ULL;
    pattern = (pattern ^ (pattern >> 27)) * 0x94D049BB133111EBULL;
    return pattern ^ (pattern >> 31);
}

struct Print {
    Word members = 0, sum = 0;
    void add(Word member) {
        ++members;
        sum += mixed(member);
    }
};
