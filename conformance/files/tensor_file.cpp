#include "conformance/files/tensor_file.h"

#include <onnx/onnx_pb.h>

#include <array>
#include <bit>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/case_size.h"
#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"

namespace touchstone::conformance {

namespace {

using spec::TypedField;

/// The codes in entry `index` of a typed field, in the low bits. Throws FileError for an entry that does not fit.
using ReadEntry = std::uint64_t (*)(const onnx::TensorProto&, int index, const ElementTypeInfo&, const std::string&);

[[noreturn]] void fail_entry(const std::string& origin, std::string_view field, int index, const std::string& value,
                             const ElementTypeInfo& type) {
  throw FileError(origin, std::string(field) + "[" + std::to_string(index) + "] is " + value +
                              ", which does not fit the type " + std::string(type.name));
}

/// The valid values of an int32_data entry. Integers are stored as their values, floating-point types as unsigned bit
/// patterns. Several elements in one byte are unsigned by onnx.proto, but ONNX 1.16's make_tensor wrote those of int4
/// as int8, so they can be negative.
std::pair<std::int64_t, std::int64_t> int32_entry_range(const ElementTypeInfo& type) {
  if (type.elements_per_entry > 1) return {-128, 255};
  const std::int64_t codes = std::int64_t{1} << type.bits;
  if (type.kind == NumberKind::signed_integer) return {-codes / 2, codes / 2 - 1};
  return {0, codes - 1};
}

std::uint64_t float_entry(const onnx::TensorProto& proto, int index, const ElementTypeInfo&, const std::string&) {
  return std::bit_cast<std::uint32_t>(proto.float_data(index));
}

std::uint64_t int32_entry(const onnx::TensorProto& proto, int index, const ElementTypeInfo& type,
                          const std::string& origin) {
  const std::int64_t value = proto.int32_data(index);
  const auto [least, greatest] = int32_entry_range(type);
  if (value < least || value > greatest) fail_entry(origin, "int32_data", index, std::to_string(value), type);
  return static_cast<std::uint64_t>(value);
}

std::uint64_t int64_entry(const onnx::TensorProto& proto, int index, const ElementTypeInfo&, const std::string&) {
  return static_cast<std::uint64_t>(proto.int64_data(index));
}

std::uint64_t uint64_entry(const onnx::TensorProto& proto, int index, const ElementTypeInfo& type,
                           const std::string& origin) {
  const std::uint64_t value = proto.uint64_data(index);
  if (value > std::numeric_limits<std::uint64_t>::max() >> (64 - type.bits))
    fail_entry(origin, "uint64_data", index, std::to_string(value), type);
  return value;
}

std::uint64_t double_entry(const onnx::TensorProto& proto, int index, const ElementTypeInfo&, const std::string&) {
  return std::bit_cast<std::uint64_t>(proto.double_data(index));
}

/// One field of TensorProto that may hold elements.
struct DataField {
  std::string_view name;
  std::size_t count;       ///< entries, or bytes of raw_data
  TypedField typed_field;  ///< if read_entry is not null
  ReadEntry read_entry = nullptr;
};

std::size_t entries(int size) { return static_cast<std::size_t>(size); }

std::array<DataField, 7> data_fields(const onnx::TensorProto& proto, std::string_view raw_data) {
  return {{
      {"raw_data", raw_data.size(), {}},
      {"float_data", entries(proto.float_data_size()), TypedField::float_data, float_entry},
      {"int32_data", entries(proto.int32_data_size()), TypedField::int32_data, int32_entry},
      {"int64_data", entries(proto.int64_data_size()), TypedField::int64_data, int64_entry},
      {"uint64_data", entries(proto.uint64_data_size()), TypedField::uint64_data, uint64_entry},
      {"double_data", entries(proto.double_data_size()), TypedField::double_data, double_entry},
      {"string_data", entries(proto.string_data_size()), {}},
  }};
}

const ElementTypeInfo& type_of(const onnx::TensorProto& proto, const std::string& origin) {
  if (!proto.has_data_type() || proto.data_type() == onnx::TensorProto::UNDEFINED)
    throw FileError(origin, "no data_type: not a tensor");
  if (const auto type = spec::element_type_from_code(proto.data_type())) return spec::info(*type);
  const std::string known_name = onnx::TensorProto::DataType_IsValid(proto.data_type())
                                     ? onnx::TensorProto::DataType_Name(proto.data_type())
                                     : "which ONNX does not define";
  throw FileError(origin, "data_type " + std::to_string(proto.data_type()) + " (" + known_name + ") is not supported");
}

std::string to_text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

template <class Dimensions>
Shape shape_of(const Dimensions& dims, const std::string& origin) {
  if (std::cmp_greater(dims.size(), limits().rank))
    throw FileError(origin,
                    "rank " + std::to_string(dims.size()) + " is above the limit of " + std::to_string(limits().rank));
  Shape shape(dims.begin(), dims.end());
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] < 0)
      throw FileError(origin, "dims[" + std::to_string(i) + "] is negative: " + std::to_string(shape[i]));
  return shape;
}

std::string described(ElementType type, const Shape& shape) {
  return "a tensor of type " + std::string(spec::name(type)) + " and shape " + to_text(shape);
}

struct Size {
  std::int64_t elements;
  std::int64_t bytes;
};

Size size_of(ElementType type, const Shape& shape, const std::string& origin) {
  const auto elements = reference::element_count(shape);
  const auto bytes = elements ? reference::byte_count(type, *elements) : std::nullopt;
  if (!bytes) throw FileError(origin, "the dimensions of " + described(type, shape) + " overflow");
  return {*elements, *bytes};
}

void refuse_data_elsewhere(const onnx::TensorProto& proto, const std::string& origin) {
  if (proto.data_location() == onnx::TensorProto::EXTERNAL || proto.external_data_size() > 0)
    throw FileError(origin,
                    "its data is external; Touchstone never opens a path that a model names. Save the model with "
                    "the data inside: onnx.save_model(onnx.load_model(path), new_path, save_as_external_data=False)");
  if (proto.has_segment()) throw FileError(origin, "a segment of a tensor; Touchstone reads complete tensors only");
}

/// The only field that holds data; raw_data if none does, which is correct for a tensor without elements.
DataField find_data(const onnx::TensorProto& proto, std::string_view raw_data, const std::string& origin) {
  const std::array fields = data_fields(proto, raw_data);
  const DataField* found = &fields.front();
  for (const DataField& field : fields) {
    if (field.count == 0 || &field == found) continue;
    if (found->count != 0)
      throw FileError(origin, "data both in " + std::string(found->name) + " and in " + std::string(field.name));
    found = &field;
  }
  return *found;
}

void require_count(const DataField& field, std::int64_t expected, std::string_view unit, const std::string& of_what,
                   const std::string& origin) {
  if (field.count == static_cast<std::uint64_t>(expected)) return;
  throw FileError(origin, std::string(field.name) + " has " + std::to_string(field.count) + " " + std::string(unit) +
                              "; " + of_what + " needs " + std::to_string(expected));
}

/// Padding of 6-bit elements must be zero by onnx.proto; that of 4- and 2-bit elements has no meaning.
void clear_padding(std::vector<std::byte>& bytes, std::int64_t size, const ElementTypeInfo& type,
                   const std::string& origin) {
  const auto used_bits = static_cast<int>(size % 8 * type.bits % 8);
  if (used_bits == 0) return;
  const auto used = static_cast<std::byte>((1 << used_bits) - 1);
  if (type.bits == 6 && (bytes.back() & ~used) != std::byte{0})
    throw FileError(origin, "the padding bits at the end of raw_data are not zero, as those of " +
                                std::string(type.name) + " must be");
  bytes.back() &= used;
}

Tensor from_raw_data(std::string_view raw_data, const ElementTypeInfo& type, Shape shape, std::int64_t size,
                     const std::string& origin) {
  const auto* begin = reinterpret_cast<const std::byte*>(raw_data.data());
  std::vector<std::byte> bytes(begin, begin + raw_data.size());
  clear_padding(bytes, size, type, origin);
  return Tensor(type.type, std::move(shape), std::move(bytes));
}

Tensor from_typed_field(const onnx::TensorProto& proto, const ElementTypeInfo& type, Shape shape, ReadEntry read_entry,
                        const std::string& origin) {
  Tensor tensor(type.type, std::move(shape));
  const std::int64_t per_entry = type.elements_per_entry;
  for (std::int64_t first = 0; first < tensor.size(); first += per_entry) {
    const std::uint64_t entry = read_entry(proto, static_cast<int>(first / per_entry), type, origin);
    for (std::int64_t k = 0; k < per_entry && first + k < tensor.size(); ++k)
      tensor.set_code(first + k, entry >> (k * type.bits));
  }
  return tensor;
}

}  // namespace

Tensor to_tensor(const onnx::TensorProto& proto, const std::string& origin) {
  return to_tensor(proto, proto.raw_data(), origin);
}

Tensor to_tensor(const onnx::TensorProto& proto, std::string_view raw_data, const std::string& origin) {
  const ElementTypeInfo& type = type_of(proto, origin);
  refuse_data_elsewhere(proto, origin);
  Shape shape = shape_of(proto.dims(), origin);
  const std::string what = described(type.type, shape);
  const auto [size, byte_count] = size_of(type.type, shape, origin);

  const DataField data = find_data(proto, raw_data, origin);
  if (data.count == 0 && size > 0) throw FileError(origin, "no data for " + what);
  if (data.name == "raw_data") {
    require_count(data, byte_count, "bytes", what, origin);
    return from_raw_data(raw_data, type, std::move(shape), size, origin);
  }
  if (data.read_entry == nullptr || data.typed_field != type.typed_field)
    throw FileError(origin, "data in " + std::string(data.name) + ", which is not a field for " + what);
  const std::int64_t per_entry = type.elements_per_entry;
  require_count(data, size / per_entry + (size % per_entry != 0), "entries", what, origin);
  return from_typed_field(proto, type, std::move(shape), data.read_entry, origin);
}

Tensor to_tensor(const onnx::SparseTensorProto& proto, const std::string& origin) {
  const Tensor values = to_tensor(proto.values(), origin + ": values");
  Shape shape = shape_of(proto.dims(), origin);
  if (values.rank() != 1)
    throw FileError(origin, "its values have the shape " + to_text(values.shape()) + ", not [NNZ]");
  if (shape.empty()) throw FileError(origin, "a sparse tensor without dims");
  const auto [size, byte_count] = size_of(values.type(), shape, origin);
  CaseSize().add(static_cast<std::uint64_t>(byte_count), static_cast<std::uint64_t>(size), origin);
  if (values.type() == ElementType::float8e8m0 && values.size() < size)
    throw FileError(origin, "the other elements are zero, which float8e8m0 does not have");
  Tensor dense(values.type(), shape);
  if (values.size() == 0 && !proto.has_indices()) return dense;

  const Tensor indices = to_tensor(proto.indices(), origin + ": indices");
  // "Indices can be a tensor of shape [NNZ, rank]", or "of shape [NNZ]", of linearized indices.
  const bool are_linear = indices.rank() == 1;
  const Shape expected = are_linear ? Shape{values.size()} : Shape{values.size(), dense.rank()};
  if (indices.type() != ElementType::int64 || indices.shape() != expected)
    throw FileError(origin, "its indices are " + described(indices.type(), indices.shape()) + ", not of int64 and [" +
                                std::to_string(values.size()) + "] or [" + std::to_string(values.size()) + ", " +
                                std::to_string(dense.rank()) + "]");
  const Shape lengths = are_linear ? Shape{size} : shape;
  const std::int64_t parts = std::ssize(lengths);
  std::int64_t last = -1;
  for (std::int64_t i = 0; i < values.size(); ++i) {
    std::int64_t place = 0;
    for (std::int64_t k = 0; k < parts; ++k) {
      const auto index = static_cast<std::int64_t>(indices.code(i * parts + k));
      const std::int64_t length = lengths[static_cast<std::size_t>(k)];
      if (index < 0 || index >= length)
        throw FileError(origin, "indices[" + std::to_string(i) + "] is out of range: " + std::to_string(index) +
                                    ", but the length is " + std::to_string(length));
      place = place * length + index;
    }
    if (place <= last)
      throw FileError(origin, "indices[" + std::to_string(i) +
                                  "] is not greater than the index before it; they must ascend without duplicates");
    dense.set_code(place, values.code(i));
    last = place;
  }
  return dense;
}

onnx::TensorProto to_tensor_proto(const Tensor& tensor, const std::string& name) {
  onnx::TensorProto proto;
  proto.set_name(name);
  proto.set_data_type(static_cast<std::int32_t>(tensor.type()));
  proto.mutable_dims()->Add(tensor.shape().begin(), tensor.shape().end());
  std::string& raw = *proto.mutable_raw_data();
  raw.assign(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  const auto used_bits = static_cast<int>(tensor.size() % 8 * spec::info(tensor.type()).bits % 8);
  if (used_bits != 0) raw.back() = static_cast<char>(raw.back() & ((1 << used_bits) - 1));
  return proto;
}

std::string tensor_file_content(const Tensor& tensor, const std::string& name) {
  return to_tensor_proto(tensor, name).SerializeAsString();
}

NamedTensor read_tensor_file(const std::filesystem::path& path) {
  onnx::TensorProto proto;
  parse_message(proto, read_bounded_file(path, limits().file_bytes), path.string());
  return {proto.name(), to_tensor(proto, path.string())};
}

}  // namespace touchstone::conformance
