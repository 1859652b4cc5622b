// The data of tensors in a message that has come, where they lie: Protocol Buffers would copy them once more.
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
  /// `bytes` are a message of this type, or of one that has tensors in it, and well-formed; they have to stay.
  TensorData(std::string_view bytes, const google::protobuf::Descriptor& type) : message_(detach(bytes, type)) {}

  /// The message, in which every raw_data stands for the data and does not hold them.
  const std::string& message() const { return message_; }
  /// What a raw_data of that message stands for.
  std::string_view find(const std::string& raw_data) const;

 private:
  std::string detach(std::string_view bytes, const google::protobuf::Descriptor& type);

  std::vector<std::string_view> data_;
  std::string message_;
};

}  // namespace touchstone::conformance
