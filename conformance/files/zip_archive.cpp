#include "conformance/files/zip_archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <boost/endian/conversion.hpp>
#include <new>
#include <utility>

namespace touchstone::conformance {

namespace {

// The numbers of the sections are those of APPNOTE.TXT 6.3.10. Offsets are in bytes from the start of a record.

// 4.3.16, the end of the central directory, before a comment
constexpr std::string_view end_signature("PK\5\6", 4);
constexpr std::size_t end_size = 22, end_disks = 4, end_members = 10, end_directory = 16, end_comment_length = 20;
constexpr std::uint16_t members_in_zip64 = 0xffff;
constexpr std::uint32_t size_in_zip64 = 0xffffffff;

// 4.3.12, a member in the central directory, before its name, extra fields and comment
constexpr std::string_view member_signature("PK\1\2", 4);
constexpr std::size_t member_size = 46, member_flags = 8, member_method = 10, member_checksum = 16,
                      member_compressed = 20, member_length = 24, member_name_length = 28, member_extra_length = 30,
                      member_comment_length = 32, member_place = 42;
constexpr std::uint16_t is_encrypted = 1, is_stored = 0, is_deflated = 8;

// 4.3.7, the member itself, before its name, extra fields and content
constexpr std::string_view local_signature("PK\3\4", 4);
constexpr std::size_t local_size = 30, local_name_length = 26, local_extra_length = 28;

/// Inflates the whole content to this length; std::nullopt if it is damaged.
std::optional<std::string> inflated(std::string_view content, std::size_t length) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  std::string made(length, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(length);
  const int result = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (result != Z_STREAM_END || stream.avail_in != 0 || stream.avail_out != 0) return std::nullopt;
  return made;
}

}  // namespace

std::string_view ZipArchive::part(std::size_t at, std::size_t length) const {
  if (at > bytes_.size() || length > bytes_.size() - at) throw FileError(origin_, "the zip archive is truncated");
  return bytes_.substr(at, length);
}

std::uint16_t ZipArchive::number16(std::size_t at) const {
  return boost::endian::load_little_u16(reinterpret_cast<const unsigned char*>(part(at, 2).data()));
}

std::uint32_t ZipArchive::number32(std::size_t at) const {
  return boost::endian::load_little_u32(reinterpret_cast<const unsigned char*>(part(at, 4).data()));
}

ZipArchive::ZipArchive(std::string_view bytes, std::string origin) : bytes_(bytes), origin_(std::move(origin)) {
  std::size_t end = bytes.rfind(end_signature);
  // A comment may contain the signature.
  while (end != bytes.npos && end > 0 &&
         (bytes.size() - end < end_size || bytes.size() - end - end_size != number16(end + end_comment_length)))
    end = bytes.rfind(end_signature, end - 1);
  if (end == bytes.npos || bytes.size() - end < end_size)
    throw FileError(origin_, "not a zip archive, or a truncated one");
  if (number32(end + end_disks) != 0) throw FileError(origin_, "one of several parts of a zip archive");
  const std::size_t members = number16(end + end_members);
  std::size_t at = number32(end + end_directory);
  if (members == members_in_zip64 || at == size_in_zip64)
    throw FileError(origin_, "a zip archive in the format zip64, which is not supported");
  for (std::size_t i = 0; i < members; ++i) {
    if (part(at, member_size).substr(0, 4) != member_signature)
      throw FileError(origin_, fmt::format("the central directory of the zip archive has no member {}", i));
    const std::size_t name_length = number16(at + member_name_length);
    const std::string name(part(at + member_size, name_length));
    if (!headers_.emplace(name, at).second)
      throw FileError(origin_, fmt::format("two members of the zip archive are called {}", in_quotes(name)));
    at += member_size + name_length + number16(at + member_extra_length) + number16(at + member_comment_length);
  }
}

std::vector<std::string> ZipArchive::names() const {
  std::vector<std::string> names;
  for (const auto& [name, header] : headers_) names.push_back(name);
  return names;
}

std::optional<std::string> ZipArchive::read(const std::string& name, std::uint64_t limit) const {
  const auto found = headers_.find(name);
  if (found == headers_.end()) return std::nullopt;
  const std::size_t header = found->second;
  const std::string origin = fmt::format("{}: member {}", origin_, in_quotes(name));
  const std::uint32_t compressed = number32(header + member_compressed), length = number32(header + member_length);
  const std::size_t local = number32(header + member_place);
  if (compressed == size_in_zip64 || length == size_in_zip64 || local == size_in_zip64)
    throw FileError(origin, "in the format zip64, which is not supported");
  if (length > limit) throw FileError(origin, fmt::format("{} bytes; the limit is {}", length, limit));
  if ((number16(header + member_flags) & is_encrypted) != 0) throw FileError(origin, "encrypted");
  const std::uint16_t method = number16(header + member_method);
  if (method != is_stored && method != is_deflated)
    throw FileError(origin, fmt::format("compressed with method {}; only deflate is supported", method));
  if (part(local, local_size).substr(0, 4) != local_signature)
    throw FileError(origin, "the central directory of the zip archive has the wrong place for it");
  const std::string_view content =
      part(local + local_size + number16(local + local_name_length) + number16(local + local_extra_length), compressed);
  std::optional<std::string> made = method == is_deflated ? inflated(content, length) : std::string(content);
  if (!made || made->size() != length ||
      crc32_z(0, reinterpret_cast<const Bytef*>(made->data()), made->size()) != number32(header + member_checksum))
    throw FileError(origin, "damaged: the content does not have the length and the checksum that the archive says");
  return made;
}

}  // namespace touchstone::conformance
