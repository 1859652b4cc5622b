// The data of the tensors in a received message, without the copy that Protocol Buffers would make.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace google::protobuf {
class Descriptor;
}

namespace touchstone::conformance {

class TensorData {
 public:
  /// `bytes` is a well-formed message of this type; the type is that of a tensor or contains tensors. The bytes must
  /// outlive this object.
  TensorData(std::string_view bytes, const google::protobuf::Descriptor& type) : message_(detach(bytes, type)) {}

  /// The message, with a key for `find` in place of each raw_data.
  const std::string& message() const { return message_; }
  /// The data for a raw_data of that message.
  std::string_view find(const std::string& raw_data) const;

 private:
  std::string detach(std::string_view bytes, const google::protobuf::Descriptor& type);

  std::vector<std::string_view> data_;
  std::string message_;
};

}  // namespace touchstone::conformance
