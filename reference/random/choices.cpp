#include "reference/random/choices.h"

#include <bit>

namespace touchstone::reference {

namespace {

std::uint64_t distance(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

}  // namespace

void Choices::limit(Shape& shape, std::int64_t most) {
  const auto elements = element_count(shape);
  if (elements && *elements <= most) return;
  refuse();
  if (records()) return;
  for (std::int64_t& length : shape) {
    length = std::clamp<std::int64_t>(length, 1, most);
    most /= length;
  }
}

void RandomChoices::bytes(std::span<std::byte> values) {
  for (std::byte& value : values) value = static_cast<std::byte>('a' + below_(26));
}

void RandomChoices::choose_number(std::int64_t& value, Range all, Range usual) {
  const std::uint64_t under = distance(all.least, usual.least);
  const std::uint64_t above = distance(usual.greatest, all.greatest);
  const bool has_usual = usual.least <= usual.greatest;
  if (has_usual && ((under == 0 && above == 0) || !once_in(8))) {
    value = usual.least + static_cast<std::int64_t>(below_(distance(usual.least, usual.greatest) + 1));
    return;
  }
  // Numbers near the usual ones are as frequent as all those of twice their distance.
  const bool is_above = under == 0 || (above > 0 && !once_in(4));
  const std::uint64_t room = is_above ? above : under;
  const std::uint64_t bits = below_(static_cast<std::uint64_t>(std::bit_width(room)) + 1);
  const std::uint64_t step = 1 + below_(std::min(room, std::uint64_t{1} << std::min<std::uint64_t>(bits, 63)));
  const auto from = static_cast<std::uint64_t>(is_above ? usual.greatest : usual.least);
  value = static_cast<std::int64_t>(is_above ? from + step : from - step);
}

}  // namespace touchstone::reference
