// The bytes of a fuzzer as choices of a generator. ByteReader decodes values from bytes; ByteWriter produces the bytes
// from which ByteReader decodes these values.
#pragma once

#include <FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/random/choices.h"

namespace touchstone::fuzz {

/// Decodes any bytes. After their end, numbers have their lowest value and elements are 0. FuzzedDataProvider takes
/// numbers from the back and data from the front, so inserting or removing one kind does not move the other.
class ByteReader : public reference::Choices {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : provider_(bytes.data(), bytes.size()) {}

  void bytes(std::span<std::byte> values) override {
    if (!values.empty() && provider_.remaining_bytes() > 0) provider_.ConsumeData(values.data(), values.size());
  }

 private:
  void choose_number(std::int64_t& value, Range all, Range /*usual*/) override {
    value = provider_.ConsumeIntegralInRange<std::int64_t>(all.least, all.greatest);
  }

  std::int64_t available_bits() override { return static_cast<std::int64_t>(provider_.remaining_bytes()) * 8; }

  FuzzedDataProvider provider_;
};

class ByteWriter : public reference::Choices {
 public:
  bool records() const override { return true; }
  void refuse() override { can_be_written_ = false; }

  void bytes(std::span<std::byte> values) override {
    for (const std::byte value : values) front_.push_back(static_cast<std::uint8_t>(value));
  }

  /// Whether every value was in its range.
  bool can_be_written() const { return can_be_written_; }

  std::vector<std::uint8_t> written() const {
    std::vector<std::uint8_t> all = front_;
    all.insert(all.end(), back_.rbegin(), back_.rend());
    return all;
  }

 private:
  void choose_number(std::int64_t& value, Range all, Range /*usual*/) override {
    if (value < all.least || value > all.greatest) refuse();
    const std::uint64_t range = static_cast<std::uint64_t>(all.greatest) - static_cast<std::uint64_t>(all.least);
    const std::uint64_t above = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(all.least);
    int count = 0;
    while (count < 8 && (range >> (8 * count)) > 0) ++count;
    while (count-- > 0) back_.push_back(static_cast<std::uint8_t>(above >> (8 * count)));
  }

  std::vector<std::uint8_t> front_;
  std::vector<std::uint8_t> back_;
  bool can_be_written_ = true;
};

}  // namespace touchstone::fuzz
