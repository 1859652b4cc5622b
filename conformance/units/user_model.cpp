#include "conformance/units/user_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/checker.h>
#include <onnx/defs/schema.h>
#include <onnx/inliner/inliner.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/files/attribute.h"
#include "conformance/files/case_size.h"
#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/files/message.h"
#include "conformance/files/tensor_file.h"
#include "conformance/generate/stored_tensor.h"
#include "conformance/units/quantization_nodes.h"
#include "conformance/units/shape_folding.h"

namespace touchstone::conformance {

namespace {

// ---- the operators of com.microsoft, which ONNX's inference does not know

void infer_same_shape(onnx::InferenceContext& context, std::size_t type_input, int default_type) {
  onnx::TypeProto* y = context.getOutputType(0);
  const onnx::TypeProto* type = context.getNumInputs() > type_input ? context.getInputType(type_input) : nullptr;
  y->mutable_tensor_type()->set_elem_type(type != nullptr ? type->tensor_type().elem_type() : default_type);
  if (onnx::hasInputShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 0);
}

onnx::OpSchema microsoft_schema(const char* name, onnx::InferenceFunction infer) {
  onnx::OpSchema schema(name, __FILE__, __LINE__);
  schema.SetDomain(std::string(spec::com_microsoft))
      .SinceVersion(1)
      .AllowUncheckedAttributes()
      .Input(0, "x", "", "T1")
      .Input(1, "scale", "", "T2")
      .Input(2, "zero_point", "", "T3", onnx::OpSchema::Optional)
      .Output(0, "y", "", "T4")
      .TypeAndShapeInferenceFunction(std::move(infer));
  for (const char* type : {"T1", "T2", "T3", "T4"})
    schema.TypeConstraint(type, onnx::OpSchema::all_tensor_types_ir14(), "");
  return schema;
}

/// Registers the operators in the registry of this process, once.
void register_microsoft_operators() {
  static const bool is_done = [] {
    auto& versions = onnx::OpSchemaRegistry::DomainToVersionRange::Instance();
    versions.AddDomainToVersion(std::string(spec::com_microsoft), 1, 1);
    onnx::RegisterSchema(microsoft_schema(
        "QuantizeLinear", [](auto& context) { infer_same_shape(context, 2, onnx::TensorProto::UINT8); }));
    onnx::RegisterSchema(microsoft_schema(
        "DequantizeLinear", [](auto& context) { infer_same_shape(context, 1, onnx::TensorProto::FLOAT); }));
    return true;
  }();
  static_cast<void>(is_done);
}

// ---- external data

struct ExternalData {
  std::string location;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

std::uint64_t number_of(const onnx::StringStringEntryProto& entry, const std::string& origin) {
  const std::string& text = entry.value();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw FileError(origin, fmt::format("external_data: {} is {}, {}", entry.key(), in_quotes(text),
                                        text.starts_with('-') ? "but must not be negative" : "not a number"));
  return number;
}

ExternalData external_data_of(const onnx::TensorProto& tensor, std::uint64_t bytes, const std::string& origin) {
  ExternalData data{.location = {}, .offset = 0, .length = bytes};
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    if (entry.key() == "location") data.location = entry.value();
    if (entry.key() == "offset") data.offset = number_of(entry, origin);
    if (entry.key() == "length") data.length = number_of(entry, origin);
  }
  if (data.location.empty()) throw FileError(origin, "external_data: no location");
  if (data.length != bytes)
    throw FileError(origin, fmt::format("external_data: {} bytes, but type and shape need {}", data.length, bytes));
  return data;
}

FileError not_in_file(const ExternalData& data, const std::string& origin) {
  return {origin, fmt::format("its data are in {}, which has no {} bytes from byte {} on", in_quotes(data.location),
                              data.length, data.offset)};
}

std::uint64_t bytes_of(const onnx::TensorProto& tensor, const std::string& origin) {
  const auto type = spec::element_type_from_code(tensor.data_type());
  const auto elements = reference::element_count({tensor.dims().data(), static_cast<std::size_t>(tensor.dims_size())});
  const auto bytes = type && elements ? reference::byte_count(*type, *elements) : std::nullopt;
  if (!bytes) throw FileError(origin, "its type or shape is unknown");
  return static_cast<std::uint64_t>(*bytes);
}

// ---- functions

using FunctionName = std::pair<std::string, std::string>;  // domain and name

FunctionName name_of(const onnx::FunctionProto& function) {
  return {canonical_domain(function.domain()), function.name()};
}

std::set<FunctionName> called_functions(const onnx::ModelProto& model) {
  std::map<FunctionName, const onnx::FunctionProto*> functions;
  for (const onnx::FunctionProto& function : model.functions()) functions.emplace(name_of(function), &function);
  std::set<FunctionName> called;
  std::vector<const onnx::NodeProto*> rest;
  const auto add = [&](const auto& nodes) {
    for (const onnx::NodeProto& node : nodes) rest.push_back(&node);
  };
  add(model.graph().node());
  while (!rest.empty()) {
    const onnx::NodeProto& node = *rest.back();
    rest.pop_back();
    for_each_inner_graph(node, [&](const onnx::GraphProto& graph, const auto&) { add(graph.node()); });
    const FunctionName name{canonical_domain(node.domain()), node.op_type()};
    if (const auto found = functions.find(name); found != functions.end() && called.insert(name).second)
      add(found->second->node());
  }
  return called;
}

bool has_other_opset(const onnx::FunctionProto& function, const onnx::ModelProto& model) {
  return std::ranges::any_of(function.opset_import(), [&](const onnx::OperatorSetIdProto& import) {
    return std::ranges::any_of(model.opset_import(), [&](const onnx::OperatorSetIdProto& other) {
      return canonical_domain(other.domain()) == canonical_domain(import.domain()) &&
             other.version() != import.version();
    });
  });
}

std::string directory_of(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).parent_path().string();
}

/// What ONNX's checker says. It reads the file itself, to see whether external data are there.
std::string complaint_on(const std::filesystem::path& path, bool with_types) try {
  onnx::checker::check_model(path.string(), /*full_check=*/with_types);
  return "";
} catch (const std::exception& error) {
  return error.what();
}

/// What ONNX's full checker says of types and shapes.
std::string complaint_on_types(onnx::ModelProto& model) try {
  onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                     onnx::ShapeInferenceOptions(/*check_type_val=*/true, /*strict_mode_val=*/1));
  return "";
} catch (const std::exception& error) {
  return error.what();
}

}  // namespace

std::optional<ValueForm> form_of_type(const onnx::TypeProto& proto) {
  if (!proto.has_tensor_type() || !proto.tensor_type().has_shape()) return std::nullopt;
  const auto type = spec::element_type_from_code(proto.tensor_type().elem_type());
  if (!type) return std::nullopt;
  ValueForm form{*type, {}};
  for (const onnx::TensorShapeProto::Dimension& dimension : proto.tensor_type().shape().dim()) {
    if (!dimension.has_dim_value() || dimension.dim_value() < 0) return std::nullopt;
    form.shape.push_back(dimension.dim_value());
  }
  return form;
}

std::uint64_t ValueForm::elements() const {
  if (const auto count = reference::element_count(shape)) return static_cast<std::uint64_t>(*count);
  throw FileError("a value", "its shape is too large");
}

std::uint64_t ValueForm::bytes() const {
  if (const auto count = reference::byte_count(type, static_cast<std::int64_t>(elements())))
    return static_cast<std::uint64_t>(*count);
  throw FileError("a value", "its shape is too large");
}

void refuse_large(const ValueForm& form, const std::string& value) {
  const auto elements = reference::element_count(form.shape);
  if (!elements || !reference::byte_count(form.type, *elements))
    throw FileError(in_quotes(value), "its shape is too large");
  CaseSize().add(form.bytes(), form.elements(), in_quotes(value));
}

UserModel::UserModel(const std::filesystem::path& path, const DimensionLengths& dimensions,
                     const std::filesystem::path& inputs)
    : path_(path), directory_(directory_of(path)), proto_(std::make_unique<onnx::ModelProto>()) {
  register_microsoft_operators();
  const std::uint64_t longest = limits().user_model_bytes;
  parse_message(*proto_, read_bounded_file(path, longest), path.string(), longest);
  if (!proto_->has_graph()) throw FileError(path.string(), "no graph: not an ONNX model");
  for (const onnx::TensorProto& tensor : proto_->graph().initializer())
    for (const onnx::StringStringEntryProto& entry : tensor.external_data())
      if (entry.key() == "location" && tensor.data_location() == onnx::TensorProto::EXTERNAL && !entry.value().empty())
        check_data(tensor);
  // Initializers "stored in sparse format" are dense tensors, but the checker takes their types for sparse ones.
  const bool has_sparse = proto_->graph().sparse_initializer_size() > 0;
  complaint_ = complaint_on(path, /*with_types=*/!has_sparse);
  make_dense();
  if (has_sparse && complaint_.empty()) complaint_ = complaint_on_types(*proto_);
  if (!inputs.empty()) inputs_ = read_user_inputs(inputs, input_names());
  set_dimensions(dimensions);
  try {
    if (proto_->functions_size() > 0) inline_functions();
    // What ONNX infers makes more shapes known, from which follow those of other values.
    do infer_forms();
    while (fold_shapes(*proto_->mutable_graph(), *this,
                       [&](const std::string& value, const ValueForm& form) { set_form(value, form); }));
  } catch (const std::exception& error) {
    if (complaint_.empty()) complaint_ = error.what();
  }
}

UserModel::~UserModel() = default;

void UserModel::make_dense() {
  CaseSize size;
  const auto set_dense = [&](const onnx::SparseTensorProto& sparse, const std::string& what, onnx::TensorProto& dense) {
    const std::string origin = path_.string() + ": " + what;
    onnx::SparseTensorProto whole = sparse;
    *whole.mutable_values() = with_data(sparse.values());
    const Tensor tensor = to_tensor(whole, origin);
    size.add(tensor, origin);
    dense = to_tensor_proto(tensor, sparse.values().name());
  };
  onnx::GraphProto& graph = *proto_->mutable_graph();
  for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer())
    set_dense(sparse, "sparse initializer " + in_quotes(sparse.values().name()), *graph.add_initializer());
  graph.clear_sparse_initializer();
  const auto make_constants_dense = [&](auto& nodes) {
    for (onnx::NodeProto& node : nodes) {
      if (node.op_type() != "Constant" || node.attribute_size() != 1) continue;
      onnx::AttributeProto& attribute = *node.mutable_attribute(0);
      if (attribute.name() != "sparse_value" || !attribute.has_sparse_tensor()) continue;
      set_dense(attribute.sparse_tensor(), "constant " + in_quotes(node.output(0)), *attribute.mutable_t());
      attribute.clear_sparse_tensor();
      attribute.set_name("value");
      attribute.set_type(onnx::AttributeProto::TENSOR);
    }
  };
  make_constants_dense(*graph.mutable_node());
  for (onnx::FunctionProto& function : *proto_->mutable_functions()) make_constants_dense(*function.mutable_node());
}

std::vector<std::string> UserModel::input_names() const {
  std::set<std::string> constants;
  for (const onnx::TensorProto& tensor : proto_->graph().initializer()) constants.insert(tensor.name());
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& input : proto_->graph().input())
    if (!constants.contains(input.name())) names.push_back(input.name());
  return names;
}

namespace {

/// How to convert an array of NumPy, whose floating-point type is float64 by default, and whose integer type is int64.
std::string conversion(ElementType to) {
  const std::string_view name = to == ElementType::float32   ? "float32"
                                : to == ElementType::float64 ? "float64"
                                                             : spec::name(to);
  return fmt::format(": save array.astype(numpy.{})", name);
}

/// Throws FileError if the user's input has no elements, or another type or rank than the model declares.
void check_form(const UserInput& given, const onnx::TypeProto::Tensor& declared) {
  const std::string name = in_quotes(given.name);
  if (given.value.size() == 0)
    throw FileError(given.file, fmt::format("the input {} has no elements: empty tensors show nothing", name));
  const auto type = spec::element_type_from_code(declared.elem_type());
  if (type && *type != given.value.type())
    throw FileError(given.file, fmt::format("the input {} is {}, but your data are {}{}", name, spec::name(*type),
                                            spec::name(given.value.type()), conversion(*type)));
  if (declared.shape().dim_size() != given.value.rank())
    throw FileError(given.file,
                    fmt::format("the input {} has rank {}, but your data have rank {}: [{}]", name,
                                declared.shape().dim_size(), given.value.rank(), fmt::join(given.value.shape(), ",")));
}

/// Gives lengths to the dimensions of the inputs.
class DimensionSetter {
 public:
  DimensionSetter(const DimensionLengths& given, std::string path) : given_(given), path_(std::move(path)) {}

  /// `data`: what the user gives for the input. Throws FileError if two of the model, the user and the data contradict
  /// each other.
  void set(onnx::ValueInfoProto& input, const std::vector<const UserInput*>& data) {
    onnx::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
    if (!type.has_shape() && data.empty())
      throw FileError(path_, fmt::format("input {} has no shape: give it with --data", in_quotes(input.name())));
    if (!type.has_shape())
      for (std::int64_t i = 0; i < data.front()->value.rank(); ++i) type.mutable_shape()->add_dim();
    for (const UserInput* given : data) check_form(*given, type);
    for (int axis = 0; axis < type.shape().dim_size(); ++axis)
      set(*type.mutable_shape()->mutable_dim(axis), {input.name(), static_cast<std::size_t>(axis)}, data);
  }

  /// Throws FileError if a dimension has no length, or a given length no dimension.
  void check_all() const {
    for (const auto& [name, length] : given_)
      if (!used_.contains(name))
        throw FileError(path_,
                        fmt::format("--dim {}={}: no input has a dimension with this name{}{}", name, length,
                                    missing_.empty() ? "" : "; these have no length: ", fmt::join(missing_, ", ")));
    if (!missing_.empty())
      throw FileError(path_, fmt::format("the lengths of these dimensions are not in the model: {}; give them: "
                                         "--dim '{}=1'",
                                         fmt::join(missing_, ", "), fmt::join(missing_, "=1' --dim '")));
  }

 private:
  struct Place {
    std::string input;
    std::size_t axis;
  };
  struct Known {
    std::int64_t length;
    std::string why;
  };

  void set(onnx::TensorShapeProto::Dimension& dimension, const Place& place,
           const std::vector<const UserInput*>& data) {
    const std::string text = fmt::format("{}[{}]", place.input, place.axis), symbol = dimension.dim_param();
    const std::string& name = symbol.empty() ? text : symbol;
    std::optional<Known> known;
    const auto add = [&](const Known& other, const std::string& origin, std::string_view hint = "") {
      if (!known) known = other;
      if (other.length == known->length) return;
      throw FileError(
          origin, fmt::format("dimension {}{} of the input {} has length {}{}, but must have {}, {}{}", place.axis,
                              symbol.empty() ? "" : fmt::format(" ({})", in_quotes(symbol)), in_quotes(place.input),
                              other.length, origin == path_ ? ", " + other.why : "", known->length, known->why, hint));
    };
    if (dimension.has_dim_value() && dimension.dim_value() >= 0)
      add({dimension.dim_value(), "as the model declares it"}, path_);
    for (const std::string& given : {text, symbol})
      if (const auto length = given_.find(given); length != given_.end()) {
        used_.insert(given);
        add({length->second, fmt::format("by --dim {}={}", given, length->second)}, path_);
      }
    const bool is_from_sets = !known && data.size() > 1;
    if (const auto same = lengths_.find(name); !known && same != lengths_.end()) known = same->second;
    for (const UserInput* one : data)
      add({one->value.shape()[place.axis],
           fmt::format("as in {}, dimension {} of the input {}", one->file, place.axis, in_quotes(one->name))},
          one->file, is_from_sets ? "; sets of other lengths need a check of their own" : "");
    if (!known) {
      missing_.insert(name);
      return;
    }
    add(lengths_.try_emplace(name, *known).first->second, path_);
    dimension.set_dim_value(known->length);
  }

  const DimensionLengths& given_;
  const std::string path_;
  std::map<std::string, Known> lengths_;  ///< of symbols, and of places without one
  std::set<std::string> used_, missing_;
};

}  // namespace

void UserModel::set_dimensions(const DimensionLengths& dimensions) {
  DimensionSetter setter(dimensions, path_.string());
  const std::vector<std::string> names = input_names();
  for (onnx::ValueInfoProto& input : *proto_->mutable_graph()->mutable_input()) {
    if (!input.type().has_tensor_type() || std::ranges::find(names, input.name()) == names.end()) continue;
    std::vector<const UserInput*> data;
    for (const UserInputs& set : inputs_) data.push_back(&*std::ranges::find(set, input.name(), &UserInput::name));
    setter.set(input, data);
  }
  setter.check_all();
  // What the file says of other values may depend on the symbols. The rest is all that is known of unknown operators.
  auto& values = *proto_->mutable_graph()->mutable_value_info();
  values.erase(std::remove_if(values.begin(), values.end(),
                              [](const onnx::ValueInfoProto& value) { return !form_of_type(value.type()); }),
               values.end());
}

void UserModel::inline_functions() {
  const std::set<FunctionName> called = called_functions(*proto_);
  // The inliner removes functions that it does not meet.
  auto& functions = *proto_->mutable_functions();
  const auto uncalled = std::stable_partition(functions.begin(), functions.end(),
                                              [&](const auto& function) { return called.contains(name_of(function)); });
  const std::vector<onnx::FunctionProto> others(uncalled, functions.end());
  functions.erase(uncalled, functions.end());
  if (std::ranges::any_of(functions, [&](const auto& function) { return has_other_opset(function, *proto_); })) {
    // The inliner loses nodes if it cannot convert them.
    onnx::ModelProto converted = *proto_;
    try {
      onnx::inliner::InlineLocalFunctions(converted, /*convert_version=*/true);
      proto_->Swap(&converted);
    } catch (const std::exception&) {
      onnx::inliner::InlineLocalFunctions(*proto_, /*convert_version=*/false);
    }
  } else {
    onnx::inliner::InlineLocalFunctions(*proto_, /*convert_version=*/false);
  }
  for (const onnx::FunctionProto& function : others) *proto_->add_functions() = function;
}

void UserModel::infer_forms() {
  onnx::shape_inference::InferShapes(*proto_, onnx::OpSchemaRegistry::Instance(),
                                     onnx::ShapeInferenceOptions(false, 0, /*data_prop_val=*/true));
  const onnx::GraphProto& graph = proto_->graph();
  for (const auto* values : {&graph.input(), &graph.value_info(), &graph.output()})
    for (const onnx::ValueInfoProto& value : *values)
      if (const auto form = form_of_type(value.type())) forms_.insert_or_assign(value.name(), *form);
  for (const onnx::TensorProto& tensor : graph.initializer())
    if (const auto type = spec::element_type_from_code(tensor.data_type()))
      forms_.insert_or_assign(tensor.name(), ValueForm{*type, {tensor.dims().begin(), tensor.dims().end()}});
}

void UserModel::set_form(const std::string& value, const ValueForm& form) {
  onnx::GraphProto& graph = *proto_->mutable_graph();
  onnx::ValueInfoProto* info = nullptr;
  for (auto* values : {graph.mutable_value_info(), graph.mutable_output()})
    for (onnx::ValueInfoProto& one : *values)
      if (one.name() == value) info = &one;
  if (info == nullptr) info = graph.add_value_info();
  info->clear_type();
  declare(*info, value, form.type, form.shape);
  forms_.insert_or_assign(value, form);
}

std::optional<ValueForm> UserModel::form_of(const std::string& value) const {
  const auto found = forms_.find(value);
  return found == forms_.end() ? std::nullopt : std::optional(found->second);
}

std::unique_ptr<std::istream> UserModel::open_data(const std::string& location, const std::string& origin) const {
  std::unique_ptr<std::istream> file;
  try {
    file = directory_.open(location, most::of_memory);
  } catch (const FileError& error) {
    throw FileError(origin, fmt::format("its external data: {}", error.what()));
  }
  if (file == nullptr)
    throw FileError(origin, fmt::format("its data are in {}, which does not exist", in_quotes(location)));
  return file;
}

void UserModel::check_data(const onnx::TensorProto& tensor) const {
  const std::string origin = path_.string() + ": tensor " + in_quotes(tensor.name());
  const ExternalData data = external_data_of(tensor, bytes_of(tensor, origin), origin);
  const auto file = open_data(data.location, origin);
  if (data.length == 0) return;
  constexpr std::uint64_t farthest = std::numeric_limits<std::streamoff>::max();
  if (data.length > farthest || data.offset > farthest - data.length) throw not_in_file(data, origin);
  file->seekg(std::streampos(static_cast<std::streamoff>(data.offset + data.length - 1)));
  if (char last = 0; !file->get(last)) throw not_in_file(data, origin);
}

onnx::TensorProto UserModel::with_data(const onnx::TensorProto& tensor) const {
  onnx::TensorProto whole = tensor;
  if (tensor.data_location() != onnx::TensorProto::EXTERNAL) return whole;
  const std::string origin = path_.string() + ": tensor " + in_quotes(tensor.name());
  const ExternalData data = external_data_of(tensor, bytes_of(tensor, origin), origin);
  if (data.length > limits().data_bytes_per_case)  // before memory is allocated
    throw FileError(origin, fmt::format("{} bytes of external data; the limit is {} (data_bytes_per_case)", data.length,
                                        limits().data_bytes_per_case));
  const auto file = open_data(data.location, origin);
  std::string bytes(data.length, '\0');
  file->seekg(std::streampos(static_cast<std::streamoff>(data.offset)));
  if (!file->read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) throw not_in_file(data, origin);
  whole.set_raw_data(std::move(bytes));
  whole.clear_external_data();
  whole.clear_data_location();
  return whole;
}

}  // namespace touchstone::conformance
