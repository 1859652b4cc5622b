// Defines a clause: one checkable sentence of the specification, in our own words, with a stable id.
#pragma once

#include <string_view>

#include "spec/applicability.h"

namespace touchstone::spec {

struct Clause {
  std::string_view id;        ///< "ql-..." for QuantizeLinear, "ms-..." for com.microsoft ...: see clauses.h
  Applicability applies;      ///< the operators and versions to which it applies
  std::string_view sentence;  ///< the requirement
  std::string_view source;    ///< the text that contains it
};

}  // namespace touchstone::spec
