#include "conformance/run/requirement.h"

namespace touchstone::conformance {

Requirement::Requirement(std::string_view text) : selects_others_(text != "none"), only_asked_(text.empty()) {
  if (!text.empty() && text != "all" && text != "none") filter_.emplace(text);
}

bool Requirement::is_missed_by(const CaseRecord& record) const {
  switch (record.answer_class()) {
    case AnswerClass::refused: return selects(record.id);
    case AnswerClass::not_asked: return !only_asked_ && selects(record.id);
    default: break;
  }
  return false;
}

}  // namespace touchstone::conformance
