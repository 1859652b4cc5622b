// What a clause is: one checkable sentence of the specification, in our own words, with a stable id.
#pragma once

#include <string_view>

#include "spec/applicability.h"

namespace touchstone::spec {

struct Clause {
  std::string_view id;        ///< "ql-..." of QuantizeLinear, "ms-..." of com.microsoft ...: see clauses.h
  Applicability applies;      ///< the operators and versions that it holds for
  std::string_view sentence;  ///< what must hold
  std::string_view source;    ///< where the text says so
};

}  // namespace touchstone::spec
