#include "conformance/generate/directed_values.h"

#include <fmt/format.h>

#include <bit>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "conformance/generate/picker.h"

namespace touchstone::conformance {

namespace {

using Place = Codes::iterator;

void mix(Place begin, Place end, Picker& picker) {
  for (auto i = end - begin; i > 1; --i)
    std::swap(begin[i - 1], begin[static_cast<std::ptrdiff_t>(picker.below(static_cast<std::size_t>(i)))]);
}

/// Reorders ascending numbers by van der Corput's sequence: any few consecutive ones, also across the end, are spread
/// over the whole range.
void spread_out(Place begin, Place end) {
  const Codes ascending(begin, end);
  for (std::size_t i = 0; begin != end; ++i) {
    std::size_t reversed = 0;
    for (std::size_t bit = 1; bit < std::bit_ceil(ascending.size()); bit *= 2)
      reversed = 2 * reversed + ((i & bit) != 0 ? 1 : 0);
    if (reversed < ascending.size()) *begin++ = ascending[reversed];
  }
}

/// Keeps only the first occurrence of each value, because a duplicate would displace another one.
void remove_doubles(DirectedValues& row) {
  std::set<std::uint32_t> seen;
  Codes kept;
  std::size_t first = 0;
  for (std::size_t i = 0; i < row.x.size(); ++i) {
    if (i == row.first) first = kept.size();
    if (seen.insert(row.x[i]).second) kept.push_back(row.x[i]);
  }
  kept.shrink_to_fit();  // there are millions of values
  row.x = std::move(kept);
  row.first = first;
}

std::vector<DirectedValues> compute(const ValueKind& kind) {
  auto rows = kind.op == Operator::quantize_linear ? quantize_values(kind) : dequantize_values(kind);
  for (DirectedValues& row : rows) {
    remove_doubles(row);
    Picker picker(fmt::format("{} {} {}", spec::name(kind.x), row.scale, row.zero_point), 0);
    const auto rest = row.x.begin() + static_cast<std::ptrdiff_t>(row.first);
    spread_out(row.x.begin(), rest);
    mix(rest, row.x.end(), picker);
  }
  return rows;
}

}  // namespace

ValueKind value_kind(const Cell& cell, Scales scales) {
  // Floating-point zero points of floating-point types are zero here, so their presence makes no difference.
  const bool need_not_be_zero = spec::is_integer(cell.quantized_type());
  return {cell.version->op,
          cell.x,
          cell.scale,
          cell.y,
          cell.precision,
          need_not_be_zero ? cell.zero_point : std::nullopt,
          scales};
}

const std::vector<DirectedValues>& directed_values(const ValueKind& kind) {
  struct Entry {
    std::once_flag once;
    std::vector<DirectedValues> values;
  };
  static std::mutex mutex;
  static std::map<ValueKind, std::unique_ptr<Entry>> entries;
  Entry& entry = [&]() -> Entry& {
    const std::lock_guard lock(mutex);
    std::unique_ptr<Entry>& found = entries[kind];
    if (!found) found = std::make_unique<Entry>();
    return *found;
  }();
  std::call_once(entry.once, [&] { entry.values = compute(kind); });
  return entry.values;
}

}  // namespace touchstone::conformance
