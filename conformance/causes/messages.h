// The messages with which a backend refuses, and groups of cases that share one.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/run/record.h"

namespace touchstone::conformance {

/// The backend's own message: the reason without the number of the data set, and without what the judge added.
std::string_view message_with_size(const CaseRecord& record);
/// The same without the size of a difference, which says little about its cause.
std::string_view message_of(const CaseRecord& record);

/// A message with numbers, quoted names and element types replaced, so that similar cases have the same message.
std::string normalized_message(std::string_view message);

/// Whether long messages differ in one word, such as the operation in "FakeQuantize node 'q': shapes are inconsistent".
bool are_similar(std::string_view one, std::string_view other);

/// Cases that have the same message.
struct MessageGroup {
  std::size_t count = 0;
  std::string_view first = {};
};

/// By their normalized message.
using MessageGroups = std::map<std::string_view, MessageGroup>;

/// The normalized messages of cases, each of which is kept once: all cases can have different ones.
class Messages {
 public:
  void add(const CaseRecord& record);

  std::size_t count(std::string_view normalized) const { return groups_.find(normalized)->second.count; }
  /// The case must have been added.
  std::string_view normalized(const CaseRecord& record) const;
  /// The cases must have been added.
  MessageGroups groups_of(std::span<const CaseRecord> records, const std::vector<std::size_t>& cases) const;

 private:
  std::deque<std::string> texts_;  ///< of those that differ from the messages
  MessageGroups groups_;
};

}  // namespace touchstone::conformance
