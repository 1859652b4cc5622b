#include "conformance/files/gzip_lines.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <new>
#include <stdexcept>

namespace touchstone::conformance {

namespace {

// What zlib calls window bits also selects the format.
constexpr int blocks_only = -MAX_WBITS;
constexpr int whole_gzip = MAX_WBITS + 16;

/// No name and no time, so that the same lines give the same bytes.
constexpr std::string_view header("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);

constexpr std::size_t part_size = 16'384;

void end_deflate(z_stream* stream) {
  deflateEnd(stream);
  delete stream;
}

void end_inflate(z_stream* stream) {
  inflateEnd(stream);
  delete stream;
}

void check_memory(int result) {
  if (result != Z_OK) throw std::bad_alloc();
}

/// zlib takes pointers to constant data without const.
Bytef* bytes_of(std::string_view text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); }

std::string little_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

/// Whether inflate has stopped after a block that is not the last one, on a byte boundary. See data_type in zlib.h.
bool is_after_a_block(const z_stream& stream) {
  constexpr int after_a_block = 128, in_the_last_block = 64, unused_bits = 7;
  return (stream.data_type & (after_a_block | in_the_last_block | unused_bits)) == after_a_block;
}

}  // namespace

GzipLineWriter::GzipLineWriter(const GzipPlace& after) : place_(after), stream_(new z_stream(), end_deflate) {
  check_memory(
      deflateInit2(stream_.get(), Z_DEFAULT_COMPRESSION, Z_DEFLATED, blocks_only, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY));
}

std::string GzipLineWriter::add(std::string_view line) {
  std::string bytes(place_.bytes == 0 ? header : "");
  bytes += compress(line, Z_SYNC_FLUSH);
  place_.bytes += bytes.size();
  place_.text_bytes += line.size();
  place_.checksum = static_cast<std::uint32_t>(crc32_z(place_.checksum, bytes_of(line), line.size()));
  return bytes;
}

std::string GzipLineWriter::finish() {
  return compress("", Z_FINISH) + little_endian(place_.checksum) +
         little_endian(static_cast<std::uint32_t>(place_.text_bytes));
}

std::string GzipLineWriter::compress(std::string_view text, int flush) {
  std::string bytes;
  std::array<char, part_size> part;
  stream_->next_in = bytes_of(text);
  stream_->avail_in = static_cast<uInt>(text.size());
  do {
    stream_->next_out = bytes_of({part.data(), part.size()});
    stream_->avail_out = part.size();
    deflate(stream_.get(), flush);
    bytes.append(part.data(), part.size() - stream_->avail_out);
  } while (stream_->avail_out == 0);
  return bytes;
}

GzipLineReader::GzipLineReader(std::istream& file) : file_(file), stream_(new z_stream(), end_inflate) {
  check_memory(inflateInit2(stream_.get(), whole_gzip));
}

bool GzipLineReader::has_input() {
  if (stream_->avail_in > 0) return true;
  input_.resize(part_size);
  file_.read(input_.data(), static_cast<std::streamsize>(input_.size()));
  stream_->next_in = bytes_of(input_);
  stream_->avail_in = static_cast<uInt>(file_.gcount());
  return stream_->avail_in > 0;
}

bool GzipLineReader::next(std::string& line, std::uint64_t limit) {
  const auto foreign = [] {
    return std::runtime_error("is not compressed as touchstone does it: another program has compressed the file");
  };
  line.clear();
  std::array<char, part_size> part;
  while (has_input()) {
    stream_->next_out = bytes_of({part.data(), part.size()});
    stream_->avail_out = part.size();
    const int result = inflate(stream_.get(), Z_BLOCK);
    const std::string_view text(part.data(), part.size() - stream_->avail_out);
    line += text;
    if (line.size() - (line.ends_with('\n') ? 1 : 0) > limit)
      throw std::runtime_error(fmt::format("longer than the limit of {} bytes", limit));
    if (result == Z_STREAM_END) {
      if (!line.empty()) throw foreign();
      if (has_input()) throw std::runtime_error("follows the end of the compressed file");
      return false;
    }
    if (result != Z_OK && result != Z_BUF_ERROR)
      throw std::runtime_error(fmt::format("is not compressed with gzip, or is damaged: {}",
                                           stream_->msg == nullptr ? "invalid data" : stream_->msg));
    // The empty block after the line.
    if (!text.empty() || !line.ends_with('\n') || !is_after_a_block(*stream_)) continue;
    line.pop_back();
    if (line.find('\n') != line.npos) throw foreign();
    place_ = {.bytes = stream_->total_in,
              .text_bytes = stream_->total_out,
              .checksum = static_cast<std::uint32_t>(stream_->adler)};
    return true;
  }
  return false;
}

}  // namespace touchstone::conformance
