#include "conformance/generate/distributed_inputs.h"

#include <algorithm>
#include <optional>
#include <set>

namespace touchstone::conformance {

namespace {

class Distribution {
 public:
  Distribution(const std::vector<DirectedValues>& rows, const std::vector<std::size_t>& row_of, std::uint64_t start)
      : rows_(rows), row_of_(row_of), start_(start), codes_(row_of.size()) {}

  void place_covers() {
    std::vector<std::size_t> taken(rows_.size(), 0);
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      const DirectedValues& row = rows_[row_of_[i]];
      if (row.covering_inputs.empty()) continue;
      const Codes& cover = row.covering_inputs[start_of(row_of_[i]) % row.covering_inputs.size()];
      const std::size_t number = taken[row_of_[i]]++;
      if (number < cover.size()) codes_[i] = cover[number];
    }
  }

  /// Places special inputs at every second free position, and then at the remaining ones, so that a NaN has ordinary
  /// neighbours.
  void place_special(const std::vector<std::uint64_t>& special) {
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < codes_.size(); ++i)
      if (!codes_[i]) free.push_back(i);
    if (free.empty()) return;
    std::rotate(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(start_ % free.size()), free.end());
    std::set<std::uint64_t> there;
    for (const std::optional<std::uint64_t>& code : codes_)
      if (code) there.insert(*code);
    std::size_t next = 0;
    for (const std::uint64_t code : special) {
      if (next >= free.size()) return;
      if (!there.insert(code).second) continue;
      codes_[free[next]] = code;
      next += 2;
      if (next >= free.size() && next % 2 == 0) next = 1;
    }
  }

  /// Every second input is a spread one, if there are any. Each row continues where the row before it stopped, so that
  /// every position in the spread is used before any is used twice.
  std::vector<std::uint64_t> place_rest() const {
    std::vector<std::vector<std::size_t>> free(rows_.size());
    for (std::size_t i = 0; i < codes_.size(); ++i)
      if (!codes_[i]) free[row_of_[i]].push_back(i);
    std::vector<std::uint64_t> distributed(codes_.size());
    for (std::size_t i = 0; i < codes_.size(); ++i) distributed[i] = codes_[i].value_or(0);
    std::uint64_t spread = start_ / 2;  // so that counting does not overflow
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const Codes& x = rows_[row].x;
      const std::size_t first = rows_[row].first;
      std::uint64_t any = start_of(row);
      bool is_spread = first > 0;
      for (const std::size_t i : free[row]) {
        distributed[i] = is_spread ? x[spread++ % first] : x[any++ % x.size()];
        is_spread = first > 0 && !is_spread;
      }
    }
    return distributed;
  }

 private:
  std::uint64_t start_of(std::size_t row) const { return start_ + 5 * row; }

  const std::vector<DirectedValues>& rows_;
  const std::vector<std::size_t>& row_of_;
  std::uint64_t start_;
  std::vector<std::optional<std::uint64_t>> codes_;
};

}  // namespace

std::vector<std::uint64_t> distribute_inputs(const std::vector<DirectedValues>& rows,
                                             const std::vector<std::size_t>& row_of,
                                             const std::vector<std::uint64_t>& special, std::uint64_t start) {
  Distribution distribution(rows, row_of, start);
  distribution.place_covers();
  distribution.place_special(special);
  return distribution.place_rest();
}

}  // namespace touchstone::conformance
