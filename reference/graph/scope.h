// The values that nodes of a graph can use.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference/graph/named_value.h"
#include "reference/model/graph.h"

namespace touchstone::reference {

/// Those of a graph, and of the graphs around it.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  void define(const std::string& name, NamedValue value) {
    if (!name.empty() && !values_.emplace(name, std::move(value)).second)
      throw GraphError(fmt::format("the value '{}' is defined twice", name));
  }

  const NamedValue& value(const std::string& name) const {
    if (const auto found = values_.find(name); found != values_.end() && found->second) return *found->second;
    if (outer_ != nullptr) return outer_->value(name);
    throw GraphError(fmt::format("the value '{}' is not defined before it is used", name));
  }

  /// Frees the memory of a value that is defined here. Its name stays defined.
  void release(std::string_view name) {
    if (const auto found = values_.find(name); found != values_.end()) found->second.reset();
  }

 private:
  const Scope* outer_;
  std::map<std::string, std::optional<NamedValue>, std::less<>> values_;
};

}  // namespace touchstone::reference
