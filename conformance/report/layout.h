// What the tables of all reports have in common: their rows, their columns, and which places the standard has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/summary.h"
#include "spec/operator_version.h"

namespace touchstone::conformance {

/// Whether the version quantizes to the type, or dequantizes from it.
bool standard_has(const spec::OperatorVersion& version, spec::ElementType quantized);

/// The types that some version quantizes to or dequantizes from, in the order of spec::element_types.
std::vector<spec::ElementTypeInfo> quantized_types();

/// Those that some version of the operator has.
std::vector<spec::ElementTypeInfo> quantized_types(spec::Operator op);

/// "QuantizeLinear-21".
std::string version_name(const spec::OperatorVersion& version);

/// The granularities of the cells that a case touches, by their names, each once, in the order of the enumeration.
std::vector<std::string_view> granularities(const CaseRecord& record);

}  // namespace touchstone::conformance
