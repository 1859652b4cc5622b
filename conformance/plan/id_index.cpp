#include "conformance/plan/id_index.h"

#include <algorithm>
#include <bit>
#include <string>

#include "conformance/plan/digest.h"

namespace touchstone::conformance {

namespace {

/// Grams with the same hash share a set. Collisions only cause some ids to be matched in vain.
constexpr std::size_t hashes = 4096;
constexpr std::size_t longest_gram = 3;

/// The beginning and the end of a text, as letters of its grams. If an id contains these characters, the results are
/// still right.
constexpr char begin_mark = '\x02';
constexpr char end_mark = '\x03';

/// Hashes two letters in their order. Pairs of letters that are common in ids have different hashes.
std::size_t hash_of(char first, char second) {
  return static_cast<unsigned char>(first) % 64U * 64U + static_cast<unsigned char>(second) % 64U;
}

std::size_t hash_of(std::string_view gram) {
  const std::uint64_t value = Digest().add(gram).value();
  return static_cast<std::size_t>((value ^ value >> 32) % hashes);
}

/// Whether a character of a pattern matches only itself.
bool is_letter(char character) { return character != '*' && character != '?'; }

/// Calls use(gram) for grams that every id containing the piece has.
template <class Use>
void for_each_gram_of_piece(std::string_view piece, const Use& use) {
  if (piece.empty()) return;
  const std::size_t length = std::min(piece.size(), longest_gram);
  for (std::size_t i = 0; i + length <= piece.size(); ++i) use(piece.substr(i, length));
}

}  // namespace

PlaceSet PlaceSet::first(std::size_t count) {
  PlaceSet set;
  for (std::size_t i = 0; i < count; ++i) set.add(i);
  return set;
}

bool PlaceSet::empty() const {
  std::uint64_t any = 0;
  for (const std::uint64_t word : words_) any |= word;
  return any == 0;
}

std::vector<std::size_t> PlaceSet::places() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < words_.size(); ++i)
    for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
      all.push_back(64 * i + static_cast<std::size_t>(std::countr_zero(rest)));
  return all;
}

PlaceSet& PlaceSet::operator&=(const PlaceSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  return *this;
}

PlaceSet& PlaceSet::operator|=(const PlaceSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  return *this;
}

PlaceSet& PlaceSet::operator-=(const PlaceSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  return *this;
}

IdIndex::IdIndex(std::span<const std::string_view> ids) : ids_(ids), with_gram_(hashes), with_order_(hashes) {
  for (std::size_t place = 0; place < ids.size(); ++place) {
    add_order(place);
    const std::string text = begin_mark + std::string(ids[place]) + end_mark;
    for (std::size_t length = 1; length <= longest_gram; ++length)
      for (std::size_t i = 0; i + length <= text.size(); ++i)
        with_gram_[hash_of(std::string_view(text).substr(i, length))].add(place);
  }
}

void IdIndex::add_order(std::size_t place) {
  const std::string_view id = ids_[place];
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id.find(id[i]) != i) continue;
    for (std::size_t k = i + 1; k < id.size(); ++k) with_order_[hash_of(id[i], id[k])].add(place);
  }
}

PlaceSet IdIndex::taken(const Filter& filter, const PlaceSet& among) const {
  PlaceSet taken;
  PlaceSet rest = among;
  for (const std::string& pattern : filter.wanted()) {
    const PlaceSet found = matching(pattern, rest);
    taken |= found;
    rest -= found;
  }
  for (const std::string& pattern : filter.unwanted()) taken -= matching(pattern, taken);
  return taken;
}

PlaceSet IdIndex::matching(std::string_view pattern, PlaceSet among) const {
  if (among.empty()) return among;
  const std::string text = begin_mark + std::string(pattern) + end_mark;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of("*?"), rest.size());
    for_each_gram_of_piece(rest.substr(0, end), [&](std::string_view gram) { among &= with_gram_[hash_of(gram)]; });
    if (among.empty()) return among;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::string firsts;  // of the pieces
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (!is_letter(pattern[i]) || (i > 0 && is_letter(pattern[i - 1]))) continue;
    for (const char earlier : firsts) among &= with_order_[hash_of(earlier, pattern[i])];
    if (among.empty()) return among;
    if (firsts.find(pattern[i]) == std::string::npos) firsts += pattern[i];
  }
  PlaceSet found;
  for (const std::size_t place : among.places())
    if (matches(pattern, ids_[place])) found.add(place);
  return found;
}

}  // namespace touchstone::conformance
