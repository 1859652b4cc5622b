// Reads untrusted zip archives, such as NumPy's .npz.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/file_error.h"

namespace touchstone::conformance {

/// An archive in memory, which `bytes` must outlive. Its members are stored or deflated.
class ZipArchive {
 public:
  /// Reads the central directory. Throws FileError for bytes that are not an archive, for a truncated or damaged one,
  /// and for two members with the same name. Archives in several parts and the format zip64 are not supported.
  ZipArchive(std::string_view bytes, std::string origin);

  std::vector<std::string> names() const;

  /// The content of a member; std::nullopt if there is none of this name. Throws FileError if it is longer than
  /// `limit`, encrypted, compressed in another way, or damaged: each byte is covered by its checksum.
  std::optional<std::string> read(const std::string& name, std::uint64_t limit) const;

 private:
  std::uint16_t number16(std::size_t at) const;
  std::uint32_t number32(std::size_t at) const;
  std::string_view part(std::size_t at, std::size_t length) const;

  std::string_view bytes_;
  std::string origin_;
  std::map<std::string, std::size_t, std::less<>> headers_;  ///< where the central directory has each member
};

}  // namespace touchstone::conformance
