// What is under test: the interface of every backend, in this process or in another.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/backends/capabilities.h"
#include "conformance/files/model_file.h"
#include "conformance/files/tensor_file.h"

namespace touchstone::conformance {

struct BackendIdentity {
  std::string name;
  std::string version;
  std::string description;

  bool operator==(const BackendIdentity&) const = default;
};

/// The backend says that it does not, or cannot, run this.
struct Refusal {
  std::string reason;
};

/// The backend did not come back with an answer; `absent`: it was not even asked.
struct Breakdown {
  enum class Kind { crash, timeout, protocol, absent } kind;
  std::string detail;
};

using Outputs = std::vector<NamedTensor>;                  ///< in the order of the graph's outputs
using Answer = std::variant<Outputs, Refusal, Breakdown>;  ///< to one set of inputs
/// To a whole unit: a model that was refused or broke the backend, or an answer to each set of inputs, in order.
using UnitAnswer = std::variant<std::vector<Answer>, Refusal, Breakdown>;

/// A unit of work: a model, prepared once, and the inputs that it is run with.
struct Unit {
  std::string_view case_id;                          ///< for the backend's own logs
  std::string_view model;                            ///< a serialized onnx.ModelProto
  std::vector<std::span<const NamedTensor>> inputs;  ///< each in the order of the graph's inputs
};

/// The backend is not there, or not any more: not of one unit, but the end of the run.
class BackendError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual BackendIdentity identity() const = 0;

  /// What it can take at all. The plan picks forms that it can.
  virtual Capabilities declares() const { return {}; }

  /// Whether the backend declares that it cannot take such a model at all, by default as `declares` says; it is then
  /// not asked to run it.
  virtual std::optional<Refusal> declines(const OperatorModel& model) const;

  /// A unit that `run` will be called with, after those that were announced before it: one in another process may begin
  /// with it. The unit itself need not be there until then. It is forgotten if one that was announced after it is run,
  /// and stays if one is run that was not announced.
  virtual void announce(const Unit& /*unit*/) {}

  /// Whether it begins with what is announced, so that the next unit is worth having ready before the answer to this
  /// one. To other backends it would only take the place in the cache of the data that they are to read.
  virtual bool works_ahead() const { return false; }

  /// Never throws for what the model or the inputs are: that is a refusal.
  virtual UnitAnswer run(const Unit& unit) = 0;

  /// What it printed at the unit that was run last, or the end of it, where that is known.
  virtual std::string take_output() { return {}; }
};

}  // namespace touchstone::conformance
