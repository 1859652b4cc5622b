#include "conformance/files/sha256.h"

#include <openssl/evp.h>

#include <boost/algorithm/hex.hpp>
#include <iterator>
#include <stdexcept>

namespace touchstone::conformance {

namespace {

void check(bool is_done) {
  if (!is_done) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

}  // namespace

std::string to_hex(const Sha256& digest) {
  std::string digits;
  boost::algorithm::hex_lower(digest.bytes, std::back_inserter(digits));
  return digits;
}

std::optional<Sha256> sha256_from_hex(std::string_view digits) {
  Sha256 digest;
  if (digits.size() != 2 * digest.bytes.size() ||
      digits.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return std::nullopt;
  boost::algorithm::unhex(digits, digest.bytes.begin());
  return digest;
}

Sha256Stream::Sha256Stream() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
  check(context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
}

Sha256Stream& Sha256Stream::add(std::string_view bytes) {
  check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  return *this;
}

Sha256 Sha256Stream::finish() {
  Sha256 digest;
  check(EVP_DigestFinal_ex(context_.get(), digest.bytes.data(), nullptr) == 1);
  return digest;
}

std::string sha256(std::initializer_list<std::string_view> parts) {
  Sha256Stream stream;
  for (const std::string_view part : parts) stream.add(part);
  return to_hex(stream.finish());
}

}  // namespace touchstone::conformance
