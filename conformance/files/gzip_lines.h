// A gzip file of lines that can be cut off and continued after each line.
//
// Each line is written with a flush of the compressor: it ends a block of the format, and an empty block after it ends
// on a byte. So whatever has been written can be read after a crash. A new compressor can continue the file there.
// Programs such as zcat read the file.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>

struct z_stream_s;

namespace touchstone::conformance {

/// The end of a line in the file, and what a writer must know to continue there.
struct GzipPlace {
  std::uint64_t bytes = 0;       ///< of the file
  std::uint64_t text_bytes = 0;  ///< of the lines
  std::uint32_t checksum = 0;    ///< of the lines, as gzip's trailer has it
};

class GzipLineWriter {
 public:
  explicit GzipLineWriter(const GzipPlace& after = {});

  /// The bytes of the next line, which has a newline.
  std::string add(std::string_view line);
  /// The bytes that end the file.
  std::string finish();
  /// After the last line.
  const GzipPlace& place() const { return place_; }

 private:
  std::string compress(std::string_view text, int flush);

  GzipPlace place_;
  std::unique_ptr<z_stream_s, void (*)(z_stream_s*)> stream_;
};

class GzipLineReader {
 public:
  /// The file must outlive the reader.
  explicit GzipLineReader(std::istream& file);

  /// Reads the next line, without its newline. False at the end; then `line` is what there is of an incomplete line.
  /// Throws std::runtime_error if the line is longer than `limit` bytes, the file is damaged, or another program
  /// compressed it.
  bool next(std::string& line, std::uint64_t limit);
  /// After the last line that was read.
  const GzipPlace& place() const { return place_; }

 private:
  bool has_input();

  std::istream& file_;
  std::string input_;
  GzipPlace place_;
  std::unique_ptr<z_stream_s, void (*)(z_stream_s*)> stream_;
};

}  // namespace touchstone::conformance
