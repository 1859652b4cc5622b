#include "conformance/backends/workers/library_backend.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <system_error>
#include <variant>
#include <vector>

#include "conformance/backends/workers/library_data.h"
#include "conformance/backends/workers/touchstone_backend.h"
#include "conformance/files/file_error.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

/// The functions of the library, found by name.
class Functions {
 public:
  explicit Functions(const std::string& path) : library_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)), path_(path) {
    if (library_ == nullptr)
      throw BackendError(fmt::format("lib:{} cannot be loaded: {}", path, text_or_empty(::dlerror())));
    find(abi, "touchstone_backend_abi");
    if (const int version = abi(); version != TOUCHSTONE_BACKEND_ABI)
      throw BackendError(fmt::format("lib:{} has interface version {}; this touchstone needs {}", path, version,
                                     TOUCHSTONE_BACKEND_ABI));
    find(create, "touchstone_backend_create");
    find(destroy, "touchstone_backend_destroy");
    find(identity, "touchstone_backend_identity");
    find(free_outputs, "touchstone_backend_free_outputs");
    look_for(capabilities, "touchstone_backend_capabilities");
    if (look_for(prepare, "touchstone_backend_prepare")) {
      find(run_model, "touchstone_backend_run_model");
      find(release_model, "touchstone_backend_release_model");
    } else {
      find(run, "touchstone_backend_run");
    }
  }

  decltype(&touchstone_backend_abi) abi = nullptr;
  decltype(&touchstone_backend_create) create = nullptr;
  decltype(&touchstone_backend_destroy) destroy = nullptr;
  decltype(&touchstone_backend_identity) identity = nullptr;
  decltype(&touchstone_backend_free_outputs) free_outputs = nullptr;
  decltype(&touchstone_backend_capabilities) capabilities = nullptr;  ///< null if the library has none
  // A library has either these three or the last one.
  decltype(&touchstone_backend_prepare) prepare = nullptr;
  decltype(&touchstone_backend_run_model) run_model = nullptr;
  decltype(&touchstone_backend_release_model) release_model = nullptr;
  decltype(&touchstone_backend_run) run = nullptr;

 private:
  template <class Function>
  bool look_for(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    return function != nullptr;
  }
  template <class Function>
  void find(Function& function, const char* name) {
    if (!look_for(function, name)) throw BackendError(fmt::format("lib:{} has no function {}", path_, name));
  }

  void* library_;  ///< never unloaded: its exit handlers may run at the end of the process
  std::string path_;
};

std::vector<touchstone_tensor> lent(std::span<const NamedTensor> inputs) {
  std::vector<touchstone_tensor> tensors;
  for (const NamedTensor& input : inputs) {
    const Tensor& value = input.value;
    tensors.push_back({input.name.c_str(), static_cast<std::int32_t>(value.type()), value.shape().size(),
                       value.shape().data(), value.bytes().data(), value.bytes().size()});
  }
  return tensors;
}

/// Converts a status other than TOUCHSTONE_OK. Throws BackendError if the library is broken.
std::variant<Refusal, Breakdown> failure(touchstone_status status, const char* function, const char* message) {
  if (status == TOUCHSTONE_REFUSED) return Refusal{text_or_empty(message)};
  if (status == TOUCHSTONE_BROKEN) throw BackendError(fmt::format("the library is broken: {}", text_or_empty(message)));
  return Breakdown{Breakdown::Kind::protocol,
                   fmt::format("{} returned {}, which is not a touchstone_status", function, status)};
}

class LibraryBackend : public Backend {
 public:
  explicit LibraryBackend(const std::string& path) : functions_(path) {
    const char* message = nullptr;
    if (const touchstone_status status = functions_.create(&backend_, &message); status != TOUCHSTONE_OK)
      throw BackendError(fmt::format("lib:{} cannot be used: {}", path,
                                     message != nullptr ? message : fmt::format("status {}", status)));
  }
  ~LibraryBackend() override { functions_.destroy(backend_); }
  LibraryBackend(const LibraryBackend&) = delete;
  LibraryBackend& operator=(const LibraryBackend&) = delete;

  BackendIdentity identity() const override {
    const touchstone_identity own = functions_.identity(backend_);
    return {text_or_empty(own.name), text_or_empty(own.version), text_or_empty(own.description)};
  }

  Capabilities declares() const override {
    if (functions_.capabilities == nullptr) return {};
    try {
      return capabilities_of(functions_.capabilities(backend_));
    } catch (const FileError& error) {
      throw BackendError(error.what());
    }
  }

  UnitAnswer run(const Unit& unit) override {
    if (functions_.prepare != nullptr) return run_prepared(unit);
    return answers(unit, "touchstone_backend_run", [&](const auto& inputs, auto... out) {
      return functions_.run(backend_, unit.model.data(), unit.model.size(), inputs.data(), inputs.size(), out...);
    });
  }

 private:
  UnitAnswer run_prepared(const Unit& unit) {
    touchstone_model* prepared = nullptr;
    const char* message = nullptr;
    const touchstone_status status =
        functions_.prepare(backend_, unit.model.data(), unit.model.size(), &prepared, &message);
    if (status != TOUCHSTONE_OK) {
      const auto failed = failure(status, "touchstone_backend_prepare", message);
      if (const auto* breakdown = std::get_if<Breakdown>(&failed))
        return std::vector<Answer>(unit.inputs.size(), *breakdown);
      return std::get<Refusal>(failed);
    }
    if (prepared == nullptr)
      return std::vector<Answer>(unit.inputs.size(),
                                 Breakdown{Breakdown::Kind::protocol, "touchstone_backend_prepare returned no model"});
    const auto release = [this](touchstone_model* model) { functions_.release_model(backend_, model); };
    const std::unique_ptr<touchstone_model, decltype(release)> model(prepared, release);
    return answers(unit, "touchstone_backend_run_model", [&](const auto& inputs, auto... out) {
      return functions_.run_model(backend_, prepared, inputs.data(), inputs.size(), out...);
    });
  }

  /// Answers each set of inputs with `call`, a function of the library that takes tensors and returns outputs.
  template <class Call>
  UnitAnswer answers(const Unit& unit, const char* function, const Call& call) {
    std::vector<Answer> all;
    for (const std::span<const NamedTensor> inputs : unit.inputs) {
      const touchstone_tensor* outputs = nullptr;
      std::size_t count = 0;
      const char* message = nullptr;
      const touchstone_status status = call(lent(inputs), &outputs, &count, &message);
      if (status == TOUCHSTONE_OK)
        all.push_back(taken(outputs, count, function));
      else
        std::visit([&](auto&& failed) { all.emplace_back(failed); }, failure(status, function, message));
    }
    return all;
  }

  Answer taken(const touchstone_tensor* outputs, std::size_t count, const char* function) {
    Answer answer;
    try {
      answer = outputs_of(outputs, count, function);
    } catch (const FileError& error) {
      answer = Breakdown{Breakdown::Kind::protocol, error.what()};
    }
    if (outputs != nullptr) functions_.free_outputs(backend_, outputs, count);
    return answer;
  }

  Functions functions_;
  touchstone_backend* backend_ = nullptr;
};

}  // namespace

std::unique_ptr<Backend> load_library_backend(const std::string& path) {
  // For a name without a directory, the loader would search only its own paths.
  std::error_code error;
  return std::make_unique<LibraryBackend>(fs::exists(path, error) ? fs::absolute(path).string() : path);
}

}  // namespace touchstone::conformance
