#include "conformance/run/runner.h"

#include <algorithm>
#include <bitset>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "conformance/exhaustive/run_sweep.h"
#include "conformance/plan/digest.h"
#include "reference/interpreter.h"

namespace touchstone::conformance {

using reference::Node;
using reference::Outcome;

namespace {

std::optional<ElementCode> element(const reference::Tensor& tensor, std::int64_t index) {
  return ElementCode{tensor.type(), tensor.code(index)};
}

WrongElement explain(const ElementDifference& difference, spec::ElementType y_type, const Node& node,
                     const Outcome& outcome) {
  const std::int64_t i = difference.index;
  WrongElement wrong{.index = i,
                     .x = {},
                     .scale = {},
                     .zero_point = {},
                     .expected = {y_type, difference.expected},
                     .actual = {y_type, difference.actual}};
  const reference::Result* result = outcome.result();
  if (result == nullptr || result->y.size() <= i) return wrong;
  wrong.x = element(result->x, i);
  wrong.scale = element(*node.inputs[1], result->parameters.scale(i));
  if (const reference::Tensor* zero_point = reference::zero_point_of(node, *result))
    wrong.zero_point = element(*zero_point, result->parameters.zero_point(i));
  return wrong;
}

std::vector<std::string_view> ids_of(const std::bitset<spec::clauses.size()>& cited) {
  std::vector<std::string_view> ids;
  for (std::size_t i = 0; i < spec::clauses.size(); ++i)
    if (cited.test(i)) ids.push_back(spec::clauses[i].id);
  return ids;
}

/// Of what the backend gave: outputs, or that it gave none.
std::uint64_t digest_of(const UnitAnswer& answer) {
  Digest digest;
  const auto* answers = std::get_if<std::vector<Answer>>(&answer);
  if (answers == nullptr) return digest.add("no answers").value();
  for (const Answer& one : *answers) {
    const auto* outputs = std::get_if<Outputs>(&one);
    if (outputs == nullptr) {
      digest.add("no outputs");
      continue;
    }
    for (const NamedTensor& output : *outputs) digest.add(output.value);
  }
  return digest.value();
}

/// Of a node that is not legal, as far as its inputs tell.
spec::ElementType quantized_type(const spec::OperatorVersion& version, const Node& node) {
  const std::size_t typed_input = version.op == spec::Operator::quantize_linear ? 2 : 0;
  if (node.inputs.size() <= typed_input || !node.inputs[typed_input]) return spec::ElementType::uint8;
  const spec::ElementType given = node.inputs[typed_input]->type();
  for (const spec::ElementType type : version.inputs[typed_input].types)
    if (spec::tensor_type(type) == given) return type;
  return given;
}

CaseRecord try_case(const Case& tested, Backend& backend, const JudgeOptions& options) {
  const std::vector<Interpreted> interpreted = interpret(tested);
  CaseRecord record = describe(tested, interpreted);

  const auto answer = [&]() -> UnitAnswer {
    if (auto refusal = backend.declines(tested.model)) return *std::move(refusal);
    Unit unit{tested.id, tested.model.bytes, {}};
    for (const DataSet& data : tested.data_sets) unit.inputs.emplace_back(data.inputs);
    return backend.run(unit);
  }();
  record.output_digest = digest_of(answer);
  const Judgement judgement = judge(tested, interpreted, answer, options);

  record.verdict = judgement.verdict;
  record.reason = judgement.reason;
  record.readings = judgement.readings;
  if (!judgement.difference) return record;
  const auto& [data_set, y_type, tensor] = *judgement.difference;
  const auto& [node, outcome] = interpreted[data_set];
  record.data_set = data_set;
  for (const ElementDifference& difference : tensor.first)
    record.wrong_elements.push_back(explain(difference, y_type, node, outcome));
  return record;
}

/// Takes the units of several threads and passes them on in the order of the plan. A thread that is far ahead waits, so
/// that no more than a few units are held.
class InOrder {
 public:
  InOrder(const OnUnit& on_unit, std::size_t ahead) : on_unit_(on_unit), ahead_(ahead) {}

  /// The number of the next unit to work on, or nothing when the run has ended.
  std::optional<std::size_t> next(std::size_t units) {
    std::unique_lock lock(mutex_);
    passed_on_.wait(lock, [&] { return stopped_ || next_ < waiting_for_ + ahead_; });
    if (stopped_ || next_ >= units) return std::nullopt;
    return next_++;
  }

  void put(std::size_t unit, std::vector<CaseRecord> records) {
    const std::lock_guard lock(mutex_);
    done_.emplace(unit, std::move(records));
    try {
      for (auto first = done_.begin(); first != done_.end() && first->first == waiting_for_; first = done_.begin()) {
        if (!stopped_ && !on_unit_(first->second)) stopped_ = true;
        done_.erase(first);
        ++waiting_for_;
      }
    } catch (...) {
      fail();
    }
    passed_on_.notify_all();
  }

  /// Ends the run at a unit that was left unfinished.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    passed_on_.notify_all();
  }

  void fail_now() {
    const std::lock_guard lock(mutex_);
    fail();
    passed_on_.notify_all();
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void fail() {
    if (!error_) error_ = std::current_exception();
    stopped_ = true;
  }

  const OnUnit& on_unit_;
  const std::size_t ahead_;
  std::mutex mutex_;
  std::condition_variable passed_on_;
  std::map<std::size_t, std::vector<CaseRecord>> done_;
  std::size_t next_ = 0;
  std::size_t waiting_for_ = 0;
  bool stopped_ = false;
  std::exception_ptr error_;
};

/// Makes the record of a case, or nothing if it was told to stop; each thread has one of its own.
using Worker = std::function<std::optional<CaseRecord>(const PlannedCase&)>;

/// A sweep is a unit by itself: it takes seconds.
std::vector<std::span<const PlannedCase>> units_of(std::span<const PlannedCase> plan) {
  std::vector<std::span<const PlannedCase>> units;
  for (std::size_t i = 0; i < plan.size(); i += units.back().size()) {
    std::size_t cases = 1;
    const auto joins = [&](std::size_t next) { return plan[i].sweep == nullptr && plan[next].sweep == nullptr; };
    while (cases < cases_per_unit && i + cases < plan.size() && joins(i + cases)) ++cases;
    units.push_back(plan.subspan(i, cases));
  }
  return units;
}

void work_in_threads(std::span<const PlannedCase> plan, const std::function<Worker()>& make_worker, unsigned most,
                     const OnUnit& on_unit) {
  const std::vector<std::span<const PlannedCase>> units = units_of(plan);
  const std::size_t jobs = std::clamp<std::size_t>(most, 1, std::max<std::size_t>(units.size(), 1));
  InOrder in_order(on_unit, 4 * jobs);
  const auto work = [&] {
    try {
      const Worker worker = make_worker();
      while (const auto unit = in_order.next(units.size())) {
        std::vector<CaseRecord> records;
        for (const PlannedCase& planned : units[*unit]) {
          std::optional<CaseRecord> record = worker(planned);
          if (!record) return in_order.stop();
          records.push_back(*std::move(record));
        }
        in_order.put(*unit, std::move(records));
      }
    } catch (...) {
      in_order.fail_now();
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back(work);
    } catch (const std::system_error&) {
      // The system has no more threads: those that it has, and at least this one, do all the work.
    }
    work();
  }
  in_order.rethrow();
}

/// Nothing if it is a sweep that was stopped.
std::optional<CaseRecord> run_planned(const PlannedCase& planned, Backend& backend, const JudgeOptions& options,
                                      const Stop& stop) {
  CaseRecord record;
  std::uint64_t digest = 0;
  try {
    if (planned.sweep != nullptr) return run_sweep(*planned.sweep, backend, options, stop);
    const Case tested = planned.read();
    digest = digest_of(tested);
    record = try_case(tested, backend, options);
  } catch (const std::exception& error) {  // FileError, NoSuchOperator; not enough memory for this one case
    record.verdict = Verdict::harness_error;
    record.reason = error.what();
  }
  record.digest = digest;
  record.id = planned.id;
  record.covered = planned.covers;
  return record;
}

}  // namespace

CaseRecord run_case(const PlannedCase& planned, Backend& backend, const JudgeOptions& options) {
  return run_planned(planned, backend, options, {}).value();
}

CaseRecord describe(const Case& described, const std::vector<Interpreted>& interpreted) {
  CaseRecord record;
  record.id = described.id;
  record.form = described.form;
  const Node& model_node = described.model.node;
  const spec::OperatorVersion& version = reference::operator_version(model_node);
  std::bitset<spec::clauses.size()> cited;
  for (const auto& [node, outcome] : interpreted) {
    cited |= outcome.cited;
    if (const reference::Result* result = outcome.result()) {
      const Cell cell = cell_of(node, version, *result);
      const auto masked = std::count(result->unspecified.begin(), result->unspecified.end(), true);
      record.subject = {&version, node.opset, cell.quantized_type()};
      record.elements += result->y.size();
      record.masked += masked;
      // A cell of which nothing is asserted is not covered.
      if (masked == 0 || masked < result->y.size()) record.cells.push_back(cell);
    } else if (described.data_sets.front().expected.empty()) {
      record.violated = outcome.rejection()->clause->id;
    }
  }
  if (!record.subject && !interpreted.empty())
    record.subject = {&version, model_node.opset, quantized_type(version, interpreted.front().node)};
  std::sort(record.cells.begin(), record.cells.end());
  record.cells.erase(std::unique(record.cells.begin(), record.cells.end()), record.cells.end());
  record.clauses = ids_of(cited);
  return record;
}

CaseRecord describe(const Case& described) {
  try {
    return describe(described, interpret(described));
  } catch (const reference::NoSuchOperator& error) {
    CaseRecord record;
    record.id = described.id;
    record.reason = error.what();
    return record;
  }
}

void run(std::span<const PlannedCase> plan, const std::function<std::unique_ptr<Backend>()>& make_backend,
         const RunOptions& options, const OnUnit& on_unit) {
  const auto make_worker = [&]() -> Worker {
    const std::shared_ptr<Backend> backend = make_backend();
    return [&options, backend](const PlannedCase& planned) {
      return run_planned(planned, *backend, options.judge, options.stop);
    };
  };
  work_in_threads(plan, make_worker, options.jobs, on_unit);
}

void describe(std::span<const PlannedCase> plan, unsigned jobs, const OnUnit& on_unit) {
  const auto describe_one = [](const PlannedCase& planned) {
    CaseRecord record;
    try {
      record = describe(planned.read());
    } catch (const std::exception& error) {  // as in run_case
      record.verdict = Verdict::harness_error;
      record.reason = error.what();
    }
    record.id = planned.id;
    return record;
  };
  work_in_threads(
      plan, [&] { return Worker(describe_one); }, jobs, on_unit);
}

}  // namespace touchstone::conformance
