// SHA-256, computed by OpenSSL's libcrypto.
#pragma once

#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // of OpenSSL

namespace touchstone::conformance {

/// A digest. All bytes of a new one are zero.
struct Sha256 {
  std::array<unsigned char, 32> bytes{};

  bool operator==(const Sha256&) const = default;
};

/// 64 lowercase hexadecimal digits.
std::string to_hex(const Sha256& digest);
/// std::nullopt if the text is not 64 lowercase hexadecimal digits.
std::optional<Sha256> sha256_from_hex(std::string_view digits);

/// Computes the digest of bytes that are added part by part.
class Sha256Stream {
 public:
  Sha256Stream();

  Sha256Stream& add(std::string_view bytes);
  /// No bytes can be added afterwards.
  Sha256 finish();

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

/// The digest of the parts one after the other, in hexadecimal.
std::string sha256(std::initializer_list<std::string_view> parts);

}  // namespace touchstone::conformance
