#include "conformance/generate/quantize_divisions.h"

#include <algorithm>

namespace touchstone::conformance {

using reference::Division;
using spec::ElementType;

bool divides_in(ElementType type) { return !spec::is_integer(type) && spec::info(type).bits >= 16; }

void Divisions::add(const Division& division) {
  const auto same = [&](const Division& other) {
    return other.kind == division.kind && (other.kind == Division::Kind::exact || other.type == division.type);
  };
  if (std::none_of(all.begin(), all.end(), same)) all.push_back(division);
}

namespace {

Division in_type(ElementType type) { return {Division::Kind::in_format, type}; }

/// The divisions of a node without the attribute `precision`.
Divisions divisions_by_operands(const ValueKind& kind) {
  using enum ElementType;
  Divisions found;
  const bool of_float8e8m0 = kind.scale == float8e8m0;
  const bool of_narrow_floats = kind.x == kind.scale && divides_in(kind.x) && kind.x != float32;
  if (kind.scale == int32) found.add({Division::Kind::exact});
  if (of_float8e8m0 || of_narrow_floats) found.add(in_type(float32));  // the latter in versions 19 and 21
  if (divides_in(kind.scale)) found.add(in_type(kind.scale));
  found.primaries = found.all.size();
  found.add(in_type(float32));
  if (of_float8e8m0 && divides_in(kind.x)) found.add(in_type(kind.x));
  if (!of_float8e8m0 || (kind.x == int32 && !kind.precision)) found.add({Division::Kind::exact});
  found.permitted = found.all.size();
  if (divides_in(kind.x)) found.add(in_type(kind.x));
  if (kind.x == float32 && kind.scale == float32) found.add({Division::Kind::reciprocal, float32});
  return found;
}

}  // namespace

Divisions divisions(const ValueKind& kind) {
  const Divisions by_operands = divisions_by_operands(kind);
  if (!kind.precision) return by_operands;
  Divisions found{.all = {in_type(*kind.precision)}, .primaries = 1, .permitted = 1};
  for (const Division& division : by_operands.all) found.add(division);
  return found;
}

}  // namespace touchstone::conformance
