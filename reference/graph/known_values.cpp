#include "reference/graph/known_values.h"

#include <algorithm>
#include <utility>

#include "reference/graph/quantization.h"

namespace touchstone::reference {

namespace {

constexpr std::size_t most_entries = 1024;

std::int64_t elements_of(const KnownValues::Entry& entry) {
  std::int64_t elements = 0;
  for (const auto& input : entry.key.inputs) elements += input ? input->value.size() : 0;
  for (const NamedValue& value : entry.values) elements += value.value.size();
  return elements;
}

bool is_decided_alike(const KnownValues::Entry& entry, const Policy& policy) {
  const auto alike = [&](std::size_t ambiguity) {
    return entry.policy.reading_index(ambiguity) == policy.reading_index(ambiguity);
  };
  // Inputs with bounds depend on the first one even where a node does not consult it. The second decides which elements
  // are computed, and so what is noted.
  return alike(spec::ambiguity_index<spec::FactorPrecision>) &&
         has_monotone_quantization(entry.policy) == has_monotone_quantization(policy) &&
         std::ranges::all_of(entry.notes.order, alike);
}

}  // namespace

void GraphNotes::add(const GraphNotes& later) {
  cited |= later.cited;
  add_consulted(later.order);
  if (!inexact) inexact = later.inexact;
  if (!unbounded) unbounded = later.unbounded;
  leaves_open = leaves_open || later.leaves_open;
}

void GraphNotes::add_consulted(const std::vector<std::size_t>& ambiguities) {
  for (const std::size_t ambiguity : ambiguities) {
    if (!consulted.test(ambiguity)) order.push_back(ambiguity);
    consulted.set(ambiguity);
  }
}

const KnownValues::Entry* KnownValues::find(const Key& key, const Policy& policy) {
  const auto found = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return is_decided_alike(entry, policy) && entry.key == key; });
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return &entries_.front();
}

void KnownValues::keep(Entry entry) {
  const std::int64_t elements = elements_of(entry);
  if (elements > most_elements) return;
  entries_.push_front(std::move(entry));
  elements_ += elements;
  while (elements_ > most_elements || entries_.size() > most_entries) {
    elements_ -= elements_of(entries_.back());
    entries_.pop_back();
  }
}

}  // namespace touchstone::reference
