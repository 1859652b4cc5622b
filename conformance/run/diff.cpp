#include "conformance/run/diff.h"

#include <unordered_map>

namespace touchstone::conformance {

bool RunDiff::none() const {
  return newly_failing.empty() && newly_passing.empty() && other_verdict.empty() && other_output.empty() &&
         other_case.empty() && only_before.empty() && only_after.empty();
}

RunDiff diff(const Journal& before, const Journal& after) {
  std::unordered_map<std::string_view, const CaseRecord*> old_records;
  for (const CaseRecord& record : before.records) old_records.emplace(record.id, &record);
  RunDiff found;
  for (const CaseRecord& record : after.records) {
    const auto old_record = old_records.find(record.id);
    if (old_record == old_records.end()) {
      found.only_after.push_back(&record);
      continue;
    }
    const Change change{old_record->second, &record};
    old_records.erase(old_record);
    const bool passed = is_pass(change.before->verdict);
    const bool passes = is_pass(record.verdict);
    if (change.before->digest != record.digest) found.other_case.push_back(change);
    const AnswerClass old_class = change.before->answer_class();
    const bool became_problem = is_permitted(change.before->verdict) && !is_permitted(record.verdict);
    const bool became_wrong = !is_wrong(old_class) && is_wrong(record.answer_class());
    if ((passed && !passes) || became_problem || became_wrong)
      found.newly_failing.push_back(change);
    else if (!passed && passes)
      found.newly_passing.push_back(change);
    else if (change.before->verdict != record.verdict || old_class != record.answer_class() ||
             change.before->readings != record.readings)
      found.other_verdict.push_back(change);
    else if (change.before->output_digest != record.output_digest && change.before->digest == record.digest)
      found.other_output.push_back(change);
  }
  for (const CaseRecord& record : before.records)
    if (old_records.contains(record.id)) found.only_before.push_back(&record);
  return found;
}

}  // namespace touchstone::conformance
