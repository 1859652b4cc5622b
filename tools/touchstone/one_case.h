// Shared by the subcommands for a single case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/plan/planned_case.h"
#include "conformance/run/record.h"
#include "tools/touchstone/command.h"

namespace touchstone::tools {

/// The case with this id, as reports name it. Throws Exit if there is none.
const conformance::PlannedCase& find_case(const std::vector<conformance::PlannedCase>& cases, const std::string& id);

/// Throws Exit if the directory that an option names exists and is not empty.
void check_is_new(std::string_view option, const std::string& directory);

/// The exit code for the result of one case.
ExitCode exit_code_of(const conformance::CaseRecord& record);

/// The explanation of these codes in a help text.
inline constexpr std::string_view exit_codes_of_one_case =
    "Exit codes: 0 the case is right or undecided, 1 it is wrong or refused, 2 usage, 3 it could not be run, "
    "5 there is no such case, or the backend is not asked to run it.\n";

/// "float[2,3]"
std::string tensor_text(const reference::Tensor& tensor);

std::string attribute_text(const reference::AttributeValue& value);

/// The first elements, as decimal numbers.
std::string values_text(const reference::Tensor& tensor);

/// The nodes of a graph, one line each: "y = QuantizeLinear(x, scale) axis=1".
std::string graph_text(const reference::GraphModel& model, std::string_view indent);

}  // namespace touchstone::tools
