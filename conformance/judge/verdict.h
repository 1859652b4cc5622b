// The verdicts on a case.
#pragma once

#include <array>
#include <string_view>

namespace touchstone::conformance {

enum class Verdict {
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

/// A reading of an ambiguity, identified by the ids of both.
struct ReadingId {
  std::string_view ambiguity;
  std::string_view reading;

  bool operator==(const ReadingId&) const = default;
};

constexpr bool is_pass(Verdict verdict) { return verdict == Verdict::pass || verdict == Verdict::pass_variant; }

/// Whether the verdict is not a problem.
constexpr bool is_permitted(Verdict verdict) {
  return is_pass(verdict) || verdict == Verdict::rejects_variant || verdict == Verdict::not_shown;
}

}  // namespace touchstone::conformance
