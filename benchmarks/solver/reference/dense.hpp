// Liveness and reaching definitions over dense bit sets: a dirty bitmap swept in reverse post-order.
#pragma once
#include "graph.hpp"

struct Masks {
    std::size_t words;
    std::vector<Word> gen, kill;
    Masks(int blocks, std::size_t bits) : words((bits + 63) / 64), gen(blocks * words), kill(blocks * words) {}
    static void set(Word* row, int bit) { row[bit >> 6] |= Word{1} << (bit & 63); }
    static void clear(Word* row, int bit) { row[bit >> 6] &= ~(Word{1} << (bit & 63)); }
    static bool has(const Word* row, int bit) { return row[bit >> 6] >> (bit & 63) & 1; }
};

// What leaves each block: gen of it and what arrives without its kill.
inline std::vector<Word> solve(const Masks& masks, const Lists& sources, const Lists& targets,
                               const std::vector<int>& order) {
    std::size_t words = masks.words;
    std::vector<Word> leaving(masks.gen.size()), arriving(words);
    std::vector<char> dirty(sources.size(), 1);
    for (bool again = true; again;) {
        again = false;
        for (int block : order) {
            if (!dirty[block]) continue;
            dirty[block] = 0;
            std::fill(arriving.begin(), arriving.end(), 0);
            for (int source : sources[block]) {
                const Word* row = &leaving[source * words];
                for (std::size_t at = 0; at < words; ++at) arriving[at] |= row[at];
            }
            const Word *gen = &masks.gen[block * words], *kill = &masks.kill[block * words];
            Word *row = &leaving[block * words], changed = 0;
            for (std::size_t at = 0; at < words; ++at) {
                Word now = gen[at] | (arriving[at] & ~kill[at]);
                changed |= now ^ row[at];
                row[at] = now;
            }
            if (!changed) continue;
            for (int target : targets[block]) dirty[target] = 1;
            again = true;
        }
    }
    return leaving;
}

// Adds what a block uses before it writes it, and what it writes; a cell has the bit that `bit_of` says.
inline void add_live(Masks& masks, int row, const Graph& graph, int block, const std::vector<int>& bit_of) {
    Word *gen = &masks.gen[row * masks.words], *kill = &masks.kill[row * masks.words];
    for (int op = graph.first[block + 1] - 1; op >= graph.first[block]; --op) {
        if (graph.write[op] >= 0) {
            Masks::set(kill, bit_of[graph.write[op]]);
            Masks::clear(gen, bit_of[graph.write[op]]);
        }
        for (int at = graph.reads_begin(op); at < graph.reads_end[op]; ++at) Masks::set(gen, bit_of[graph.reads[at]]);
    }
}

inline Masks live_masks(const Graph& graph, const std::vector<int>& bit_of, std::size_t bits) {
    Masks masks(graph.size(), bits);
    for (int block = 0; block < graph.size(); ++block) add_live(masks, block, graph, block, bit_of);
    return masks;
}

// Definitions stand in the bits cell by cell, so that those of a cell are a run of bits.
struct Definitions {
    std::vector<int> begin;     // of each cell: its first bit; one more at the end
    std::vector<int> bit_of;    // of each instruction that writes
    std::vector<int> instruction;

    explicit Definitions(const Graph& graph) : begin(graph.cells + 1), bit_of(graph.write.size()) {
        for (int cell : graph.write)
            if (cell >= 0) ++begin[cell + 1];
        for (int cell = 0; cell < graph.cells; ++cell) begin[cell + 1] += begin[cell];
        instruction.resize(begin.back());
        std::vector<int> next(begin);
        for (std::size_t op = 0; op < graph.write.size(); ++op) {
            if (graph.write[op] < 0) continue;
            bit_of[op] = next[graph.write[op]]++;
            instruction[bit_of[op]] = static_cast<int>(op);
        }
    }
};

inline Masks reaching_masks(const Graph& graph, const Definitions& definitions) {
    Masks masks(graph.size(), definitions.instruction.size());
    for (int block = 0; block < graph.size(); ++block) {
        Word *gen = &masks.gen[block * masks.words], *kill = &masks.kill[block * masks.words];
        for (int op = graph.first[block + 1] - 1; op >= graph.first[block]; --op) {
            int cell = graph.write[op];
            if (cell < 0 || Masks::has(kill, definitions.begin[cell])) continue;
            for (int bit = definitions.begin[cell]; bit < definitions.begin[cell + 1]; ++bit) Masks::set(kill, bit);
            Masks::set(gen, definitions.bit_of[op]);
        }
    }
    return masks;
}
