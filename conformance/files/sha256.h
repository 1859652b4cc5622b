// SHA-256, by OpenSSL's libcrypto.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace touchstone::conformance {

/// The digest of the parts one after the other, as 64 lowercase hexadecimal digits.
std::string sha256(std::initializer_list<std::string_view> parts);

}  // namespace touchstone::conformance
