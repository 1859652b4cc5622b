// Why a graph cannot be interpreted.
#pragma once

#include <stdexcept>

namespace touchstone::reference {

/// The graph is invalid, is too large, or needs something that the interpreter of graphs does not have.
class GraphError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace touchstone::reference
