// Recycled slots: two cells whose spans in reverse post-order do not meet share a bit.
//
// A cut is a position that no forward edge jumps over. A cell that cannot be live at the last cut before its first
// mention has a span from there, any other one from the entry; a span ends at the last mention, and takes in whole each
// run of overlapping retreating edges that it meets.
#pragma once
#include "dense.hpp"

struct Spans {
    std::vector<int> begin, end;  // of each cell, both inclusive; -1 where it is never mentioned
};

class Layout {
public:
    Layout(const Graph& graph, const std::vector<int>& order) : graph_(graph), order_(order), at_(order.size()) {
        for (std::size_t place = 0; place < order.size(); ++place) at_[order[place]] = static_cast<int>(place);
        find_segments();
        find_runs();
    }

    Spans spans() const {
        Spans found{std::vector<int>(graph_.cells, -1), std::vector<int>(graph_.cells, -1)};
        std::vector<int> &first = found.begin, &last = found.end;
        std::vector<std::vector<int>> here(cuts_.size());  // the cells that each segment mentions
        std::vector<int> seen(graph_.cells, -1);
        auto mention = [&](int cell, int place) {
            if (first[cell] < 0) first[cell] = place;
            last[cell] = place;
            if (seen[cell] != segment_[place]) here[segment_[place]].push_back(cell);
            seen[cell] = segment_[place];
        };
        for (int place = 0; place < size(); ++place) each_mention(place, [&](int cell) { mention(cell, place); });
        std::vector<char> live(graph_.cells);  // at the cut of the segment looked at last
        std::vector<int> local(graph_.cells);
        for (int segment = static_cast<int>(cuts_.size()) - 1; segment >= 0; --segment)
            go_back_to_cut(segment, here[segment], first, live, local);
        for (int cell = 0; cell < graph_.cells; ++cell) {
            if (last[cell] < 0) continue;
            first[cell] = live[cell] ? 0 : run_begin_[cuts_[segment_[first[cell]]]];
            last[cell] = run_end_[last[cell]];
        }
        return found;
    }

private:
    const Graph& graph_;
    const std::vector<int>& order_;
    std::vector<int> at_, cuts_, segment_, run_begin_, run_end_;
    std::vector<char> entered_inside_;  // whether a later segment leads back behind the cut of this one

    int size() const { return static_cast<int>(order_.size()); }

    template <class F> void each_mention(int place, F mention) const {
        int block = order_[place];
        for (int op = graph_.first[block]; op < graph_.first[block + 1]; ++op) {
            for (int at = graph_.reads_begin(op); at < graph_.reads_end[op]; ++at) mention(graph_.reads[at]);
            if (graph_.write[op] >= 0) mention(graph_.write[op]);
        }
    }

    void find_segments() {
        int reached = 0;
        for (int place = 0; place < size(); ++place) {
            if (reached <= place) cuts_.push_back(place);
            segment_.push_back(static_cast<int>(cuts_.size()) - 1);
            for (int target : graph_.after[order_[place]]) reached = std::max(reached, at_[target]);
        }
        entered_inside_.assign(cuts_.size(), 0);
        for (int place = 0; place < size(); ++place)
            for (int target : graph_.after[order_[place]]) {
                int segment = segment_[at_[target]];
                if (at_[target] <= place && segment != segment_[place] && cuts_[segment] != at_[target])
                    entered_inside_[segment] = 1;
            }
    }

    void find_runs() {
        std::vector<int> back(size());
        for (int place = 0; place < size(); ++place) back[place] = run_begin_.emplace_back(place);
        run_end_ = run_begin_;
        for (int place = 0; place < size(); ++place)
            for (int target : graph_.after[order_[place]]) back[place] = std::min(back[place], at_[target]);
        int begin = size();  // of the run that is being gathered, from the end of the layout on
        for (int place = size() - 1, end = -1; place >= 0; --place) {
            if (place < begin) end = place;
            begin = std::min(place < begin ? place : begin, back[place]);
            run_end_[place] = end;
        }
        for (int place = 1; place < size(); ++place)
            if (run_end_[place] == run_end_[place - 1]) run_begin_[place] = run_begin_[place - 1];
    }

    // Takes `live` from the cut behind a segment to that of the segment, for the cells that it mentions: liveness of
    // the segment alone. An edge back out of it reads every cell that was mentioned before; one that was not is live
    // there only if it is live at this cut.
    void go_back_to_cut(int segment, const std::vector<int>& cells, const std::vector<int>& first,
                        std::vector<char>& live, std::vector<int>& local) const {
        int begin = cuts_[segment];
        int end = segment + 1 < static_cast<int>(cuts_.size()) ? cuts_[segment + 1] : size();
        if (end - begin == 1) return go_back_through(begin, cells, first, live);
        std::size_t words = (cells.size() + 63) / 64;
        std::vector<Word> behind(words), back(words);
        for (std::size_t one = 0; one < cells.size(); ++one) {
            local[cells[one]] = static_cast<int>(one);
            if (live[cells[one]] || entered_inside_[segment]) Masks::set(behind.data(), static_cast<int>(one));
            if (first[cells[one]] < begin) Masks::set(back.data(), static_cast<int>(one));
        }
        Masks masks(end - begin, cells.size());
        for (int place = begin; place < end; ++place) add_live(masks, place - begin, graph_, order_[place], local);
        std::vector<Word> into(masks.gen), out(words);
        for (bool again = true; again;) {
            again = false;
            for (int place = end - 1; place >= begin; --place) {
                std::fill(out.begin(), out.end(), 0);
                for (int target : graph_.after[order_[place]]) {
                    int to = at_[target];
                    const Word* row = to >= end ? behind.data() : to < begin ? back.data() : &into[(to - begin) * words];
                    for (std::size_t at = 0; at < words; ++at) out[at] |= row[at];
                }
                for (std::size_t at = 0, row = (place - begin) * words; at < words; ++at) {
                    Word now = masks.gen[row + at] | (out[at] & ~masks.kill[row + at]);
                    again |= now != into[row + at] && end - begin > 1;
                    into[row + at] = now;
                }
            }
        }
        for (std::size_t one = 0; one < cells.size(); ++one)
            live[cells[one]] = Masks::has(into.data(), static_cast<int>(one));
    }

    // The same where the segment is one block.
    void go_back_through(int place, const std::vector<int>& cells, const std::vector<int>& first,
                         std::vector<char>& live) const {
        for (int target : graph_.after[order_[place]])
            if (at_[target] < place)
                for (int cell : cells) live[cell] |= first[cell] < place;
        for (int op = graph_.first[order_[place] + 1] - 1; op >= graph_.first[order_[place]]; --op) {
            if (graph_.write[op] >= 0) live[graph_.write[op]] = 0;
            for (int at = graph_.reads_begin(op); at < graph_.reads_end[op]; ++at) live[graph_.reads[at]] = 1;
        }
    }
};

struct Slots {
    int count = 0;
    std::vector<int> of_cell;
    std::vector<std::vector<int>> begins, ends;  // the cells whose spans do so, by position

    Slots(const Spans& spans, int places) : of_cell(spans.begin.size(), 0), begins(places), ends(places) {
        for (std::size_t cell = 0; cell < of_cell.size(); ++cell) {
            if (spans.end[cell] < 0) continue;
            begins[spans.begin[cell]].push_back(static_cast<int>(cell));
            ends[spans.end[cell]].push_back(static_cast<int>(cell));
        }
        std::vector<int> free;
        for (int place = 0; place < places; ++place) {
            for (int cell : begins[place]) {
                if (free.empty()) free.push_back(count++);
                of_cell[cell] = free.back();
                free.pop_back();
            }
            for (int cell : ends[place]) free.push_back(of_cell[cell]);
        }
    }
};
