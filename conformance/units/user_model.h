// A model of a user, read from a file: with external data, with its functions inlined, and with the types and shapes
// that ONNX infers for its values.
#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/files/names.h"
#include "conformance/files/rooted_directory.h"
#include "conformance/plan/planned_case.h"
#include "conformance/units/user_inputs.h"

namespace onnx {
class ModelProto;
class TensorProto;
class TypeProto;
}  // namespace onnx

namespace touchstone::conformance {

/// The type and the static shape of a value.
struct ValueForm {
  ElementType type;
  Shape shape;

  /// Both throw FileError for more than can be counted.
  std::uint64_t elements() const;
  std::uint64_t bytes() const;

  bool operator==(const ValueForm&) const = default;
};

/// std::nullopt if it is not a tensor of a known type and a static shape.
std::optional<ValueForm> form_of_type(const onnx::TypeProto& type);

/// Throws FileError if a tensor for the value with this name would be above the limits of a case.
void refuse_large(const ValueForm& form, const std::string& value);

class UserModel {
 public:
  /// `inputs` is a path for read_user_inputs, whose shapes give lengths to symbolic dimensions too; empty: there are no
  /// inputs. Throws FileError if the file cannot be read, is not a model, has no graph, or exceeds a limit; for a
  /// symbolic dimension of an input that has no length, and for a length of a dimension that the model does not have;
  /// for external data in a file that does not exist, is too short, or is outside of the directory of the model; for
  /// malformed sparse constants; and for inputs that cannot be read, have no elements, or do not have the types and
  /// shapes of the model, or of each other.
  UserModel(const std::filesystem::path& path, const DimensionLengths& dimensions,
            const std::filesystem::path& inputs = {});
  ~UserModel();
  UserModel(const UserModel&) = delete;
  UserModel& operator=(const UserModel&) = delete;

  /// Its functions are those that are left: no node calls them, or ONNX cannot convert them to the opset of the model.
  const onnx::ModelProto& proto() const { return *proto_; }
  /// What ONNX's full checker says against the file; empty if it accepts it.
  const std::string& complaint() const { return complaint_; }
  /// The user's inputs for the whole model.
  const std::vector<UserInputs>& inputs() const { return inputs_; }
  /// std::nullopt if the type is unknown, or a dimension is.
  std::optional<ValueForm> form_of(const std::string& value) const;
  /// The tensor with its data in the message, also if the file has them elsewhere. Throws FileError if the external
  /// data are missing, too short, or outside of the directory of the model.
  onnx::TensorProto with_data(const onnx::TensorProto& tensor) const;

 private:
  /// Replaces sparse constants by dense ones, which are all that ONNX's shape inference and the units have.
  void make_dense();
  /// Throws FileError as with_data does, without reading the data.
  void check_data(const onnx::TensorProto& tensor) const;
  std::unique_ptr<std::istream> open_data(const std::string& location, const std::string& origin) const;
  std::vector<std::string> input_names() const;
  void set_dimensions(const DimensionLengths& dimensions);
  void inline_functions();
  void infer_forms();
  void set_form(const std::string& value, const ValueForm& form);

  std::filesystem::path path_;
  RootedDirectory directory_;
  std::unique_ptr<onnx::ModelProto> proto_;
  std::string complaint_;
  std::map<std::string, ValueForm> forms_;
  std::vector<UserInputs> inputs_;
};

}  // namespace touchstone::conformance
