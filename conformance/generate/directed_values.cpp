#include "conformance/generate/directed_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "conformance/generate/dealer.h"
#include "conformance/generate/dequantize_values.h"
#include "conformance/generate/quantize_values.h"

namespace touchstone::conformance {

namespace {

/// A value that stands there twice would only take another one's place.
void mix(std::vector<std::uint64_t>& values, Dealer dealer) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[dealer.below(i)]);
}

std::vector<DirectedValues> compute(const ValueKind& kind) {
  auto rows = kind.op == spec::Operator::quantize_linear ? quantize_values(kind) : dequantize_values(kind);
  for (DirectedValues& row : rows)
    mix(row.x, Dealer(fmt::format("{} {} {}", spec::name(kind.x), row.scale, row.zero_point), 0));
  return rows;
}

}  // namespace

ValueKind value_kind(const Cell& cell) {
  return {cell.version->op, cell.x, cell.scale, cell.y, cell.precision, cell.has_zero_point};
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
