// The interface of a backend, the system under test. A backend runs in this process or in its own.
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
  std::string description;  ///< the configuration: device, options that change results

  bool operator==(const BackendIdentity&) const = default;
};

/// "onnxruntime 1.32.0 (CPU, graph optimizations all)"
std::string title(const BackendIdentity& backend);

/// The backend does not or cannot run this model or these inputs.
struct Refusal {
  std::string reason;
};

/// The backend gave no valid answer. `absent`: it was not asked. `invalid`: what it gave is wrong, whatever it
/// computes. `open`: what it gave shows nothing.
struct Breakdown {
  enum class Kind { crash, timeout, protocol, absent, invalid, open } kind;
  std::string detail;
};

using Outputs = std::vector<NamedTensor>;                  ///< in the order of the graph's outputs
using Answer = std::variant<Outputs, Refusal, Breakdown>;  ///< to one set of inputs
/// The answer to a unit: one answer to each set of inputs, in order, or the refusal or breakdown of the whole unit.
using UnitAnswer = std::variant<std::vector<Answer>, Refusal, Breakdown>;

/// A unit of work: a model, which is prepared once, and the sets of inputs with which it runs.
struct Unit {
  std::string_view case_id;                          ///< for the backend's own logs; see Program::shows_ids
  std::string_view model;                            ///< a serialized onnx.ModelProto
  std::vector<std::span<const NamedTensor>> inputs;  ///< each in the order of the graph's inputs
};

/// The model of a unit, with the inputs that it gives. Throws FileError.
OperatorModel read_model(const Unit& unit);

/// The backend cannot be used (any longer). This ends the run, unlike a Breakdown, which is the answer to one unit.
class BackendError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual BackendIdentity identity() const = 0;

  /// The limits that the backend declares. The plan selects forms within them.
  virtual Capabilities declares() const { return {}; }

  /// A refusal if the backend declares that it does not support such a model; it is then not asked to run it. The
  /// default checks the model against `declares()`.
  virtual std::optional<Refusal> declines(const OperatorModel& model) const;

  /// Announces that `run` will be called with this unit after the units announced earlier. A backend in another process
  /// may start to work on it. The unit need not stay valid until `run`. Running a unit that was announced later cancels
  /// the announcement; running a unit that was not announced does not.
  virtual void announce(const Unit& /*unit*/) {}

  /// Whether the backend starts to work on announced units. If so, the caller prepares the next unit before it waits
  /// for the answer to this one. For other backends, the next unit would only evict their data from the cache.
  virtual bool works_ahead() const { return false; }

  /// Does not throw for an invalid or unsupported model or input: it returns a refusal. A backend that computes or
  /// waits long may be interrupted, see reference/interruption.h, and is of no use then.
  virtual UnitAnswer run(const Unit& unit) = 0;

  /// The output that the backend printed during the last unit, or the end of that output; empty if it is not known.
  virtual std::string take_output() { return {}; }
};

}  // namespace touchstone::conformance
