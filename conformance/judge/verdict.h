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
  not_shown,  ///< no evidence: a required refusal by a backend that does not accept the case's control; an answer that
              ///< permitted readings only leave open, and that a rejected reading gives; or outputs of which the
              ///< specification leaves every element open, or bounds are too wide
  fail,       ///< an output that follows no permitted reading
  accepts_invalid,  ///< an output although the specification requires a rejection
  rejects_valid,  ///< a refusal of what the specification allows; also of what permitted readings reject, by a backend
                  ///< that does not accept the case's control
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

/// What people count. Each case has exactly one class. Legal and illegal models are counted apart.
enum class AnswerClass {
  right,
  wrong,         ///< includes crashes and timeouts
  refused,       ///< asked, and refused although the specification allows the model
  rejected,      ///< an illegal model, as the specification requires
  permitted,     ///< an illegal model that was accepted as a permitted reading of the specification allows
  not_rejected,  ///< an illegal model; includes crashes and timeouts
  not_asked,     ///< the backend is declared or assumed not to support the model
  undecided,     ///< shows neither: not_shown, or the case was not run, or could not be judged
};

struct AnswerClassInfo {
  AnswerClass answer_class;
  std::string_view id;  ///< in JSON and CSV
  std::string_view words;
  bool is_of_legal;    ///< whether legal models have the class
  bool is_of_illegal;  ///< whether illegal models have it
};

inline constexpr std::array answer_classes{
    AnswerClassInfo{AnswerClass::right, "right", "right", true, false},
    AnswerClassInfo{AnswerClass::wrong, "wrong", "wrong", true, false},
    AnswerClassInfo{AnswerClass::refused, "refused", "refused", true, false},
    AnswerClassInfo{AnswerClass::rejected, "rejected", "rejected", false, true},
    AnswerClassInfo{AnswerClass::permitted, "permitted", "accepted as a reading permits", false, true},
    AnswerClassInfo{AnswerClass::not_rejected, "not_rejected", "not rejected", false, true},
    AnswerClassInfo{AnswerClass::not_asked, "not_asked", "not asked", true, true},
    AnswerClassInfo{AnswerClass::undecided, "undecided", "undecided", true, true},
};

constexpr const AnswerClassInfo& info(AnswerClass answer_class) {
  return answer_classes[static_cast<std::size_t>(answer_class)];
}

/// Whether the backend did what it should.
constexpr bool is_right(AnswerClass answer_class) {
  return answer_class == AnswerClass::right || answer_class == AnswerClass::rejected ||
         answer_class == AnswerClass::permitted;
}

/// Whether the backend did what no reading permits; a refusal is not wrong.
constexpr bool is_wrong(AnswerClass answer_class) {
  return answer_class == AnswerClass::wrong || answer_class == AnswerClass::not_rejected;
}

/// The class of a case. `declined`: the backend was not asked, whatever the verdict.
constexpr AnswerClass answer_class(Verdict verdict, bool must_reject, bool declined) {
  if (declined) return AnswerClass::not_asked;
  switch (verdict) {
    case Verdict::pass:
    case Verdict::rejects_variant: return must_reject ? AnswerClass::rejected : AnswerClass::right;
    case Verdict::pass_variant: return must_reject ? AnswerClass::permitted : AnswerClass::right;
    case Verdict::fail:
    case Verdict::accepts_invalid:
    case Verdict::crash:
    case Verdict::timeout: return must_reject ? AnswerClass::not_rejected : AnswerClass::wrong;
    case Verdict::rejects_valid:
      if (!must_reject) return AnswerClass::refused;
      break;
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
