// Backends that make use of what is announced to them.
#pragma once

namespace touchstone::conformance {

/// Beside Backend: it begins with what is announced, so that the next unit is worth having ready before the answer to
/// this one. To other backends it would only take the place in the cache of the data that they are to read.
class WorksAhead {
 public:
  virtual ~WorksAhead() = default;
};

}  // namespace touchstone::conformance
