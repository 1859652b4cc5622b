#include "conformance/files/sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace touchstone::conformance {

std::string sha256(std::initializer_list<std::string_view> parts) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  bool is_done = context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (const std::string_view part : parts)
    is_done = is_done && EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (!is_done || EVP_DigestFinal_ex(context.get(), digest.data(), &size) != 1)
    throw std::runtime_error("libcrypto cannot compute SHA-256");
  std::string text;
  for (unsigned int i = 0; i < size; ++i) fmt::format_to(std::back_inserter(text), "{:02x}", digest[i]);
  return text;
}

}  // namespace touchstone::conformance
