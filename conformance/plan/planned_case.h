// Planned cases, which are identified by ids and read one by one.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/files/case.h"
#include "conformance/plan/code_interval.h"
#include "conformance/plan/form_limits.h"
#include "conformance/plan/shared.h"

namespace touchstone::conformance {

struct Sweep;

/// The prefix of the ids of controls, and of no others.
inline constexpr std::string_view control_prefix = "control/";

/// Receives a case. Returns true if it needs no more of them.
using TakeCase = std::function<bool(const Case&)>;

/// What only a case of the tier exhaustive has.
struct ValueSpace {
  CodeIntervals codes;  ///< that the case covers completely
  /// Builds a case of only these elements: the whole case would be a large reproducer.
  std::function<Case(const std::vector<ChosenElement>&)> reduce;
  /// A sweep, of which only a sample can be read; otherwise null.
  std::shared_ptr<const Sweep> sweep = nullptr;
};

/// Makes cases on demand, each of which has a number. A suite needs only one source for all its cases.
class CaseSource : public boost::intrusive_ref_counter<CaseSource> {
 public:
  CaseSource() = default;
  CaseSource(const CaseSource&) = delete;
  CaseSource& operator=(const CaseSource&) = delete;
  virtual ~CaseSource() = default;

  /// Throws FileError.
  virtual Case read(std::size_t number) const = 0;
  /// Offers legal cases similar to this one, nearest first. The first one that no permitted reading rejects is the
  /// control: a backend must accept it for its refusal of this case to count.
  virtual void offer_control_candidates(std::size_t number, const TakeCase& take) const;
  /// The form that replaces the picked one because the backend does not support that; empty: the picked one.
  virtual std::string_view other_form(std::size_t number) const;
  /// Null for all cases except those of the tier exhaustive.
  virtual const ValueSpace* value_space() const;
};

/// A source of a single case, as functions.
struct CaseFunctions {
  std::function<Case()> read;
  std::function<void(const TakeCase& take)> offer_control_candidates = nullptr;  ///< null: there are none
  std::string_view other_form = {};
  std::optional<ValueSpace> value_space = std::nullopt;
};
boost::intrusive_ptr<const CaseSource> made_by(CaseFunctions functions);

/// A case that is not in memory yet. An error in reading it does not affect other cases.
struct PlannedCase {
  SharedText id;
  boost::intrusive_ptr<const CaseSource> source;
  std::uint32_t number = 0;    ///< in the source
  bool is_from_files = false;  ///< its content may change between two runs

  Case read() const { return source->read(number); }
  void offer_control_candidates(const TakeCase& take) const { source->offer_control_candidates(number, take); }
  std::string_view other_form() const { return source->other_form(number); }
  const ValueSpace* value_space() const { return source->value_space(); }
  bool is_sweep() const { return value_space() != nullptr && value_space()->sweep != nullptr; }
};

/// The extent of a generated suite.
enum class Tier {
  smoke,       ///< every pair of values of two lattice dimensions for every version, and every kind of case once
  standard,    ///< every cell, every clause, every rule
  exhaustive,  ///< only complete value spaces
};

/// A tier by its name, or std::nullopt.
std::optional<Tier> find_tier(std::string_view name);

/// The lengths of the symbolic dimensions of a user's model by their names, or by their places in an input: "x[0]",
/// which come first.
using DimensionLengths = std::map<std::string, std::int64_t>;

struct SuiteOptions {
  std::filesystem::path data = {};    ///< for suites that read files
  bool follow_symlinks = false;       ///< for suites that read files: also through links that lead out of `data`
  Tier tier = Tier::standard;         ///< for generated suites
  std::uint64_t seed = 0;             ///< for generated suites: gives other values to the same cases, or other cases
  std::uint64_t examples = 0;         ///< for the suite `random`: the number of its cases
  DimensionLengths dimensions = {};   ///< for the suite `model`
  std::filesystem::path inputs = {};  ///< for the suite `model`: what the user gives to the whole model; may be empty
  FormLimits limits = {};             ///< for generated suites: cases beyond the limits get another form if possible
};

/// The SHA-256 of tier and seed; of the settings that decide verdicts, as texts; and of all cases: their ids, the forms
/// that replace others, and the content of those from files. Generated cases follow from the rest and from the version
/// of Touchstone.
std::string plan_hash(const std::vector<PlannedCase>& cases, std::string_view tier, std::uint64_t seed,
                      std::span<const std::string> settings = {});

}  // namespace touchstone::conformance
