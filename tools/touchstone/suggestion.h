// Suggestions for misspelled names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/plan/filter.h"

namespace touchstone::tools {

/// The names that contain `given`. If there are none, the names that differ from it by the fewest inserted, removed,
/// changed or swapped characters, if these are few. At most `most` names.
std::vector<std::string_view> similar_names(std::string_view given, std::span<const std::string_view> names,
                                            std::size_t most = 5);

/// A line for each of them, to append to a message: "\ndid you mean NAME?".
std::string did_you_mean(std::string_view given, std::span<const std::string_view> names);

/// The same for a filter that selects none of these ids: with patterns completed by a "*" or with the parts that occur
/// in no id corrected. Empty if that does not select any id either.
std::string did_you_mean(const conformance::Filter& filter, std::span<const std::string_view> ids);

}  // namespace touchstone::tools
