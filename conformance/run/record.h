// What a run remembers of a case: all that reports are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/verdict.h"
#include "conformance/plan/cell.h"
#include "conformance/plan/code_interval.h"

namespace touchstone::conformance {

/// One element's bit pattern, to be shown in decimal and in hex.
struct ElementCode {
  spec::ElementType type;
  std::uint64_t code;

  bool operator==(const ElementCode&) const = default;
};

/// An element that came out wrong, with all that it was computed from.
struct WrongElement {
  std::int64_t index;            ///< row-major
  std::optional<ElementCode> x;  ///< these three only where the reference knows the node to be legal
  std::optional<ElementCode> scale;
  std::optional<ElementCode> zero_point;  ///< nothing also where it is absent
  ElementCode expected;
  ElementCode actual;
  // Where the reference knows the node to be legal:
  std::vector<std::int64_t> position = {};                 ///< the index along each dimension
  std::optional<std::int64_t> scale_index = std::nullopt;  ///< row-major, of its scale
  std::optional<std::int64_t> block = std::nullopt;  ///< of blocked quantization: the block's number along the axis

  bool operator==(const WrongElement&) const = default;
};

struct CaseRecord {
  std::string id;
  Verdict verdict = Verdict::not_run;
  std::string reason;  ///< one line for people; empty for a pass

  /// What the model is. Nothing where it could not be read.
  struct Subject {
    const spec::OperatorVersion* version;
    int opset;
    spec::ElementType quantized_type;

    bool operator==(const Subject&) const = default;
  };
  std::optional<Subject> subject;
  std::string form;                       ///< of a generated case: how its operands reach the backend
  std::vector<Cell> cells;                ///< the lattice's cells that the data sets touch; none of a must-reject case
  std::vector<std::string_view> clauses;  ///< ids of those that the case exercises
  std::string_view violated;              ///< of a must-reject case: the id of the clause; otherwise empty
  std::vector<ReadingId> readings;        ///< of a pass_variant or rejects_variant: those that explain the answers

  CodeIntervals covered;  ///< of a case of the tier exhaustive whose outputs were compared: all these codes, combined

  std::int64_t elements = 0;        ///< of all outputs that the specification demands
  std::int64_t masked = 0;          ///< those of them on which it says nothing
  std::uint64_t digest = 0;         ///< of the model and all data sets: the same id with another digest is another
                                    ///< case; 0 if it could not even be read
  std::uint64_t output_digest = 0;  ///< of the backend's answer; 0 if it was not asked

  std::size_t data_set = 0;                  ///< of the wrong elements
  std::vector<WrongElement> wrong_elements;  ///< the first ones

  bool declined = false;  ///< not asked: it is declared, or assumed, that the backend cannot take such models
  std::string flaky;      ///< the result of running the case again, if it differs
  std::string output;     ///< the end of what the backend printed meanwhile, if the case went wrong

  bool must_reject() const { return !violated.empty(); }
  bool operator==(const CaseRecord&) const = default;
};

}  // namespace touchstone::conformance
