#include "conformance/units/user_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "conformance/files/case_size.h"
#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"
#include "conformance/files/rooted_directory.h"
#include "conformance/files/zip_archive.h"

namespace touchstone::conformance {

namespace {

namespace fs = std::filesystem;

// ---- NumPy's format: a magic number, a version, the length of a header, the header (a dict of Python), and the data

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::string_view npy_suffix = ".npy", archive_suffix = ".npz", tensor_suffix = ".pb";

struct NumpyType {
  std::string_view name;
  onnx::TensorProto::DataType type;
};

constexpr std::array numpy_types{
    NumpyType{"<f4", onnx::TensorProto::FLOAT},   NumpyType{"<f8", onnx::TensorProto::DOUBLE},
    NumpyType{"<f2", onnx::TensorProto::FLOAT16}, NumpyType{"|u1", onnx::TensorProto::UINT8},
    NumpyType{"|i1", onnx::TensorProto::INT8},    NumpyType{"<u2", onnx::TensorProto::UINT16},
    NumpyType{"<i2", onnx::TensorProto::INT16},   NumpyType{"<u4", onnx::TensorProto::UINT32},
    NumpyType{"<i4", onnx::TensorProto::INT32},   NumpyType{"<u8", onnx::TensorProto::UINT64},
    NumpyType{"<i8", onnx::TensorProto::INT64},   NumpyType{"|b1", onnx::TensorProto::BOOL}};

/// The text after the key and a colon; empty if there is none.
std::string_view value_of(std::string_view header, std::string_view key) {
  const std::size_t found = header.find(fmt::format("'{}':", key));
  if (found == std::string_view::npos) return {};
  const std::string_view rest = header.substr(found + key.size() + 3);
  return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
}

/// "(2, 3)", "(2,)" or "()".
std::optional<std::vector<std::int64_t>> shape_of(std::string_view text) {
  if (!text.starts_with('(')) return std::nullopt;
  std::vector<std::int64_t> shape;
  text.remove_prefix(1);
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    if (text.starts_with(')')) return shape;
    std::int64_t length = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    if (error != std::errc()) return std::nullopt;
    shape.push_back(length);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
}

/// The tensor of this shape whose transpose is given.
Tensor from_transposed(const Tensor& transposed, const Shape& shape) {
  Tensor tensor(transposed.type(), shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    std::int64_t rest = i, place = 0, stride = tensor.size();
    for (std::size_t d = shape.size(); d-- > 0;) {
      stride /= shape[d];
      place += rest % shape[d] * stride;
      rest /= shape[d];
    }
    tensor.set_code(i, transposed.code(place));
  }
  return tensor;
}

}  // namespace

Tensor parse_npy(std::string_view content, const std::string& origin) {
  const std::size_t version_at = magic.size();
  if (!content.starts_with(magic) || content.size() < version_at + 4) throw FileError(origin, "not a NumPy file");
  const bool is_version_1 = content[version_at] == 1;
  const std::size_t length_at = version_at + 2, header_at = length_at + (is_version_1 ? 2 : 4);
  if (content.size() < header_at) throw FileError(origin, "the header is truncated");
  const auto* length_bytes = reinterpret_cast<const unsigned char*>(content.data() + length_at);
  const std::size_t length =
      is_version_1 ? boost::endian::load_little_u16(length_bytes) : boost::endian::load_little_u32(length_bytes);
  if (content.size() - header_at < length) throw FileError(origin, "the header is truncated");
  const std::string_view header = content.substr(header_at, length);
  const std::string_view given = value_of(header, "descr");
  const auto type = std::ranges::find_if(
      numpy_types, [&](const NumpyType& row) { return given.starts_with(fmt::format("'{}'", row.name)); });
  if (type == numpy_types.end())
    throw FileError(origin, fmt::format("the type {} of NumPy is not supported; save the input as a TensorProto in a "
                                        "file .pb",
                                        given.substr(0, given.find(','))));
  const auto shape = shape_of(value_of(header, "shape"));
  if (!shape) throw FileError(origin, "the header has no shape");
  onnx::TensorProto proto;
  proto.set_data_type(type->type);
  const std::string_view data = content.substr(header_at + length);
  if (value_of(header, "fortran_order").starts_with("False")) {
    proto.mutable_dims()->Add(shape->begin(), shape->end());
    return to_tensor(proto, data, origin);
  }
  // In Fortran's order, the first index changes fastest: the transposed array in C's order.
  proto.mutable_dims()->Add(shape->rbegin(), shape->rend());
  return from_transposed(to_tensor(proto, data, origin), *shape);
}

namespace {

constexpr std::size_t longest_name = 60, longest_names = 300;

Tensor parse(std::string_view content, bool is_npy, const std::string& origin) {
  if (is_npy) return parse_npy(content, origin);
  onnx::TensorProto proto;
  parse_message(proto, content, origin, limits().file_bytes);
  return to_tensor(proto, origin);
}

/// The content of a file of a directory, or of a member of an archive; std::nullopt if it does not exist.
using ReadFile = std::function<std::optional<std::string>(const std::string& name)>;

/// The inputs in the files of one place, the path of which is `origin`; std::nullopt if it has none of them.
std::optional<UserInputs> inputs_in(const ReadFile& read, const fs::path& origin, std::span<const std::string> names,
                                    CaseSize& size) {
  UserInputs inputs;
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::optional<UserInput> found;
    // numpy.savez calls arrays without a name arr_N.
    for (const std::string& stem : {names[i], fmt::format("input_{}", i), fmt::format("arr_{}", i)})
      for (const std::string_view suffix : {npy_suffix, tensor_suffix}) {
        if (found) continue;
        const std::string name = stem + std::string(suffix);
        const auto content = read(name);
        if (!content) continue;
        const std::string file = (origin / printable(name, longest_name)).string();
        found = {names[i], parse(*content, suffix == npy_suffix, file), file};
        size.add(found->value, origin.string());
      }
    if (found)
      inputs.push_back(*std::move(found));
    else
      missing.push_back(
          fmt::format("input {} ({}.npy or input_{}.pb)", in_quotes(names[i]), printable(names[i], longest_name), i));
  }
  if (inputs.empty() && !names.empty()) return std::nullopt;
  if (!missing.empty()) throw FileError(origin.string(), fmt::format("no file has the {}", fmt::join(missing, ", ")));
  return inputs;
}

}  // namespace

std::vector<UserInputs> read_user_inputs(const fs::path& path, std::span<const std::string> names) {
  const std::string suffix = path.extension().string();
  const auto no_inputs = [&](std::string_view elsewhere) {
    return FileError(path.string(),
                     fmt::format("no inputs: neither {}.npy nor input_0.pb exists{}",
                                 names.empty() ? "" : printable(names.front(), longest_name), elsewhere));
  };
  CaseSize size;  // of all sets
  if (suffix == npy_suffix || suffix == tensor_suffix || suffix == archive_suffix) {
    if (names.size() != 1 && suffix != archive_suffix)
      throw FileError(path.string(),
                      names.empty() ? "the model has no inputs"
                                    : fmt::format("the model has {} inputs: give a directory with a file for each, or "
                                                  "an archive (.npz)",
                                                  names.size()));
    const std::string content = read_bounded_file(path, limits().file_bytes);
    if (suffix != archive_suffix)
      return {{{names.front(), parse(content, suffix == npy_suffix, path.string()), path.string()}}};
    const ZipArchive archive(content, path.string());
    const auto read = [&](const std::string& name) { return archive.read(name, limits().file_bytes); };
    auto inputs = inputs_in(read, path, names, size);
    if (!inputs)
      throw no_inputs(" in the archive, which has " +
                      printable(fmt::format("{}", fmt::join(archive.names(), ", ")), longest_names));
    return {std::move(*inputs)};
  }
  std::error_code none;
  if (fs::is_regular_file(path, none))
    throw FileError(path.string(), "neither a directory nor a file .npy, .npz or .pb");
  const RootedDirectory root(path);
  const auto inputs_below = [&](const fs::path& below) {
    const auto read = [&](const std::string& name) {
      return name.find('/') == name.npos ? root.read(below / name, limits().file_bytes) : std::nullopt;
    };
    return inputs_in(read, (path / below).lexically_normal(), names, size);
  };
  const auto inputs_of_archive = [&](const std::string& name) -> std::optional<UserInputs> {
    const auto content = root.read(name, limits().file_bytes);
    if (!content) return std::nullopt;
    const ZipArchive archive(*content, (path / name).string());
    const auto read = [&](const std::string& member) { return archive.read(member, limits().file_bytes); };
    return inputs_in(read, path / name, names, size);
  };
  if (auto inputs = inputs_below({})) return {std::move(*inputs)};
  const auto is_archive = [](const std::string& name) { return name.ends_with(archive_suffix); };
  std::vector<std::string> below = root.names_in(".");
  std::erase_if(below, [&](const std::string& name) {
    return !is_archive(name) && !fs::is_directory(fs::symlink_status(path / name));
  });
  // test_data_set_2 comes before test_data_set_10.
  std::ranges::sort(below, {}, [](const std::string& name) { return std::pair(name.size(), name); });
  std::vector<UserInputs> sets;
  for (const std::string& name : below) {
    if (sets.size() == limits().data_sets_per_case)
      throw FileError(path.string(), fmt::format("more than {} sets of inputs (data_sets_per_case)", sets.size()));
    if (auto inputs = is_archive(name) ? inputs_of_archive(name) : inputs_below(name))
      sets.push_back(std::move(*inputs));
  }
  if (sets.empty()) throw no_inputs(", and no directory or archive has them");
  return sets;
}

}  // namespace touchstone::conformance
