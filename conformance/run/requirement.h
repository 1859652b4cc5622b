// --require: the cases that a backend must not refuse.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/plan/filter.h"
#include "conformance/run/record.h"

namespace touchstone::conformance {

class Requirement {
 public:
  /// "all": every case, also those that the backend is declared not to support. "none": no case. Any other text is a
  /// filter: the cases that it selects, whether the backend is asked or not. Empty: every case that the backend is
  /// asked. Throws std::invalid_argument if Filter refuses the text.
  explicit Requirement(std::string_view text = {}) : selects_others_(text != "none"), only_asked_(text.empty()) {
    if (!text.empty() && text != "all" && text != "none") filter_.emplace(text);
  }

  /// Whether the backend refused a required case, or is declared not to support it.
  bool is_missed_by(const CaseRecord& record) const {
    const AnswerClass answer = record.answer_class();
    const bool is_left_out = answer == AnswerClass::not_asked && !only_asked_;
    return (answer == AnswerClass::refused || is_left_out) && selects(record.id);
  }

  /// Whether a text was given.
  bool is_given() const { return !only_asked_; }

  /// Whether the text selects cases by their ids. If it selects none, it is probably wrong.
  bool is_filter() const { return filter_.has_value(); }
  bool selects(const std::string& id) const { return filter_ ? filter_->matches(id) : selects_others_; }

 private:
  std::optional<Filter> filter_;
  bool selects_others_ = true;  ///< without a filter
  bool only_asked_ = false;
};

}  // namespace touchstone::conformance
