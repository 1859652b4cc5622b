// The verdicts on a case.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>

namespace touchstone::conformance {

enum class Verdict : std::uint8_t {
  pass,             ///< the output or refusal that the primary readings require
  pass_variant,     ///< what other, permitted readings require
  rejects_variant,  ///< a refusal of what other, permitted readings also reject, by a backend that accepts the case's
                    ///< control
  not_shown,  ///< no evidence: a required or permitted refusal by a backend that also refuses the case's control (if
              ///< the refusal is only permitted, the control has other types); or an answer that permitted readings
              ///< only leave open, and that a rejected reading gives
  fail,       ///< an output that follows no permitted reading
  accepts_invalid,  ///< an output although the specification requires a rejection
  rejects_valid,  ///< a refusal of what the specification allows; or, by a backend that also refuses a control with the
                  ///< same types, a refusal of what permitted readings reject
  crash,          ///< the backend died
  timeout,        ///< the backend did not answer in time
  not_run,        ///< the case was not run
  harness_error,  ///< the case could not be run, or not be judged within the limit of a search: its files, the protocol
                  ///< or Touchstone are at fault
};

struct VerdictInfo {
  Verdict verdict;
  std::string_view name;
};

inline constexpr std::array verdicts{
    VerdictInfo{Verdict::pass, "pass"},
    VerdictInfo{Verdict::pass_variant, "pass_variant"},
    VerdictInfo{Verdict::rejects_variant, "rejects_variant"},
    VerdictInfo{Verdict::not_shown, "not_shown"},
    VerdictInfo{Verdict::fail, "fail"},
    VerdictInfo{Verdict::accepts_invalid, "accepts_invalid"},
    VerdictInfo{Verdict::rejects_valid, "rejects_valid"},
    VerdictInfo{Verdict::crash, "crash"},
    VerdictInfo{Verdict::timeout, "timeout"},
    VerdictInfo{Verdict::not_run, "not_run"},
    VerdictInfo{Verdict::harness_error, "harness_error"},
};

constexpr std::string_view name(Verdict verdict) { return verdicts[static_cast<std::size_t>(verdict)].name; }

/// What people count. Each case has exactly one class, so the counts of the classes add up to the number of cases.
enum class AnswerClass {
  right,
  wrong,      ///< includes crashes and timeouts
  refused,    ///< asked, and refused although the specification allows the model
  not_asked,  ///< the backend is declared or assumed not to support the model
  undecided,  ///< shows neither: not_shown, or the case was not run, or could not be judged
};

struct AnswerClassInfo {
  AnswerClass answer_class;
  std::string_view id;  ///< in JSON and CSV
  std::string_view words;
};

inline constexpr std::array answer_classes{
    AnswerClassInfo{AnswerClass::right, "right", "right"},
    AnswerClassInfo{AnswerClass::wrong, "wrong", "wrong"},
    AnswerClassInfo{AnswerClass::refused, "refused", "refused"},
    AnswerClassInfo{AnswerClass::not_asked, "not_asked", "not asked"},
    AnswerClassInfo{AnswerClass::undecided, "undecided", "undecided"},
};

constexpr const AnswerClassInfo& info(AnswerClass answer_class) {
  return answer_classes[static_cast<std::size_t>(answer_class)];
}

/// The class of a case. `declined`: the backend was not asked, whatever the verdict.
constexpr AnswerClass answer_class(Verdict verdict, bool declined = false) {
  if (declined) return AnswerClass::not_asked;
  switch (verdict) {
    case Verdict::pass:
    case Verdict::pass_variant:
    case Verdict::rejects_variant: return AnswerClass::right;
    case Verdict::fail:
    case Verdict::accepts_invalid:
    case Verdict::crash:
    case Verdict::timeout: return AnswerClass::wrong;
    case Verdict::rejects_valid: return AnswerClass::refused;
    case Verdict::not_shown:
    case Verdict::not_run:
    case Verdict::harness_error: break;
  }
  return AnswerClass::undecided;
}

/// A reading of an ambiguity, identified by the ids of both.
struct ReadingId {
  std::string_view ambiguity;
  std::string_view reading;

  auto operator<=>(const ReadingId&) const = default;
};

constexpr bool is_pass(Verdict verdict) { return verdict == Verdict::pass || verdict == Verdict::pass_variant; }

/// Whether the verdict is not a problem.
constexpr bool is_permitted(Verdict verdict) {
  return is_pass(verdict) || verdict == Verdict::rejects_variant || verdict == Verdict::not_shown;
}

}  // namespace touchstone::conformance
