#include "conformance/workers/library_backend.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "conformance/files/limits.h"
#include "conformance/workers/touchstone_backend.h"
#include "spec/element_type.h"

namespace touchstone::conformance {

namespace fs = std::filesystem;

namespace {

std::string text(const char* from) { return from != nullptr ? from : ""; }

/// The functions that the library has under their names.
class Functions {
 public:
  explicit Functions(const std::string& path) : library_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw BackendError(fmt::format("lib:{} cannot be loaded: {}", path, text(::dlerror())));
    find(abi, "touchstone_backend_abi", path);
    if (const int version = abi(); version != TOUCHSTONE_BACKEND_ABI)
      throw BackendError(fmt::format("lib:{} is of the interface {}; this is touchstone of {}", path, version,
                                     TOUCHSTONE_BACKEND_ABI));
    find(create, "touchstone_backend_create", path);
    find(destroy, "touchstone_backend_destroy", path);
    find(identity, "touchstone_backend_identity", path);
    find(run, "touchstone_backend_run", path);
    find(free_outputs, "touchstone_backend_free_outputs", path);
  }

  decltype(&touchstone_backend_abi) abi = nullptr;
  decltype(&touchstone_backend_create) create = nullptr;
  decltype(&touchstone_backend_destroy) destroy = nullptr;
  decltype(&touchstone_backend_identity) identity = nullptr;
  decltype(&touchstone_backend_run) run = nullptr;
  decltype(&touchstone_backend_free_outputs) free_outputs = nullptr;

 private:
  template <class Function>
  void find(Function& function, const char* name, const std::string& path) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    if (function == nullptr) throw BackendError(fmt::format("lib:{} has no function {}", path, name));
  }

  void* library_;  ///< stays: what it has registered may be called at the end of the process
};

/// Throws BackendError: what the library gives is no tensor. Dimensions and data are looked at only as far as told.
NamedTensor tensor_of(const touchstone_tensor& given) {
  const auto type = spec::element_type_from_code(given.element_type);
  if (!type) throw BackendError(fmt::format("an output has the element type {}", given.element_type));
  if (given.rank > static_cast<std::size_t>(limits::rank))
    throw BackendError(fmt::format("an output has the rank {}", given.rank));
  reference::Shape shape(given.dims, given.dims + given.rank);
  const auto* begin = static_cast<const std::byte*>(given.data);
  try {
    return {text(given.name), reference::Tensor(*type, std::move(shape), {begin, begin + given.bytes})};
  } catch (const std::invalid_argument& error) {
    throw BackendError(fmt::format("an output is {}", error.what()));
  }
}

class LibraryBackend : public Backend {
 public:
  explicit LibraryBackend(const std::string& path) : functions_(path) {
    const char* message = nullptr;
    if (functions_.create(&backend_, &message) != TOUCHSTONE_OK)
      throw BackendError(fmt::format("lib:{} cannot be used: {}", path, text(message)));
  }
  ~LibraryBackend() override { functions_.destroy(backend_); }
  LibraryBackend(const LibraryBackend&) = delete;
  LibraryBackend& operator=(const LibraryBackend&) = delete;

  BackendIdentity identity() const override {
    const touchstone_identity own = functions_.identity(backend_);
    return {text(own.name), text(own.version), text(own.description)};
  }

  UnitAnswer run(const Unit& unit) override {
    std::vector<Answer> answers;
    for (const std::span<const NamedTensor> inputs : unit.inputs) answers.push_back(run(unit.model, inputs));
    return answers;
  }

 private:
  Answer run(std::string_view model, std::span<const NamedTensor> inputs) {
    std::vector<touchstone_tensor> given;
    for (const NamedTensor& input : inputs) {
      const reference::Tensor& value = input.value;
      given.push_back({input.name.c_str(), static_cast<std::int32_t>(value.type()), value.shape().size(),
                       value.shape().data(), value.bytes().data(), value.bytes().size()});
    }
    const touchstone_tensor* outputs = nullptr;
    std::size_t count = 0;
    const char* message = nullptr;
    const touchstone_status status =
        functions_.run(backend_, model.data(), model.size(), given.data(), given.size(), &outputs, &count, &message);
    if (status == TOUCHSTONE_REFUSED) return Refusal{text(message)};
    if (status != TOUCHSTONE_OK) throw BackendError(fmt::format("the library is broken: {}", text(message)));
    Outputs taken;
    for (const touchstone_tensor& output : std::span(outputs, count)) taken.push_back(tensor_of(output));
    functions_.free_outputs(backend_, outputs, count);
    return taken;
  }

  Functions functions_;
  touchstone_backend* backend_ = nullptr;
};

}  // namespace

std::unique_ptr<Backend> load_library_backend(const std::string& path) {
  // By a name alone the loader would look in its own places only.
  std::error_code error;
  return std::make_unique<LibraryBackend>(fs::exists(path, error) ? fs::absolute(path).string() : path);
}

}  // namespace touchstone::conformance
