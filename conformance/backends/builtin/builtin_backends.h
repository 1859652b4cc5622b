// The built-in backends by name.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "conformance/backends/backend.h"

namespace touchstone::conformance {

struct BackendInfo {
  std::string_view name;
  std::string_view description;
  std::unique_ptr<Backend> (*make)();
};

std::span<const BackendInfo> builtin_backends();

/// The built-in backend with this name; null if there is none.
std::unique_ptr<Backend> make_backend(std::string_view name);

}  // namespace touchstone::conformance
