#include "conformance/session/shrink.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "conformance/files/names.h"
#include "conformance/generate/form.h"
#include "conformance/generate/node_case.h"
#include "conformance/generate/parts.h"
#include "conformance/generate/simpler_nodes.h"
#include "conformance/judge/oracle.h"
#include "conformance/plan/digest.h"
#include "conformance/run/controls.h"
#include "conformance/run/reproducer.h"
#include "conformance/session/shrink_problem.h"
#include "reference/interpreter.h"
#include "reference/outcome.h"

namespace touchstone::conformance {

namespace {

/// The number of wrong elements that are tried alone.
constexpr std::size_t most_single_elements = 3;

/// If there are at most this many elements, those in the middle are removed one by one.
constexpr std::int64_t few_elements = 16;

/// If there are more elements than this, all values are simplified at once or not at all.
constexpr std::int64_t many_elements = 4096;

/// A model of one node with one data set, and its result.
struct Candidate {
  Node node;
  const Form* form;
  Case written;
  std::vector<ReferenceOutcome> interpreted;
  CaseRecord record = {};
  std::vector<std::string> rivals = {};  ///< see ShrinkProblem

  /// Null if the node is illegal.
  const Result* result() const { return interpreted.front().outcome.result(); }
};

class Search {
 public:
  Search(const PlannedCase& planned, const CaseRecord& record, Backend& backend, const ShrinkOptions& options)
      : planned_(planned), backend_(backend), problem_(planned, record, backend, options) {}

  /// Whether it has found a model of its own that shows the problem.
  bool begin(const Case& whole, std::size_t first) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < whole.data_sets.size(); ++i)
      if (!whole.data_sets[i].repeats) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return i != first; });
    return std::ranges::any_of(order, [&](std::size_t i) {
      return try_one(bind_inputs(whole.model, whole.data_sets[i].inputs), form_of(whole));
    });
  }

  void simplify() {
    try_one(best_->node, simplest_form(best_->node));
    for (std::size_t before = found_ + 1; before != found_ && !problem_.is_over();) {
      before = found_;
      shapes();
      admits_rivals_ = false;
      repeat([&] { return try_any(fewer_operands(best_->node, best_->result())); });
      repeat([&] { return try_any(simpler_attributes(best_->node)); });
      for (std::size_t operand = best_->node.inputs.size(); operand-- > 0;)
        repeat([&] { return try_any(values(operand)); });
      if (!is_large()) repeat([&] { return try_any(simpler_quotients(best_->node)); });
    }
  }

  /// Whether the problem shows again.
  bool is_confirmed() { return problem_.shown_by(best_->written).has_value(); }

  const Candidate& best() const { return *best_; }
  std::size_t calls() const { return problem_.calls(); }

 private:
  /// The form of a generated case, or the one most like that of a file.
  static const Form& form_of(const Case& whole) {
    if (const Form* form = find_form(whole.form)) return *form;
    const auto& inputs = whole.model.node.inputs;
    if (!inputs.empty() && inputs.front()) return form_named("all_constant");
    const bool has_constants = std::ranges::any_of(inputs, [](const auto& input) { return input.has_value(); });
    return has_constants ? form_named("initializers") : plain_form();
  }

  bool is_large() const { return best_->node.inputs.front()->size() > many_elements; }

  template <class Step>
  void repeat(const Step& step) {
    while (step()) continue;
  }

  /// Whether it is simpler than the best one, and shows the problem. Then it is the best one.
  bool try_one(const Node& node, const Form& form) {
    if (problem_.is_over()) return false;
    if (best_ && !is_simpler(node, form)) return false;
    std::optional<Candidate> candidate = made(node, form);
    if (!candidate || !problem_.is_new(candidate->written)) return false;
    candidate->interpreted = interpret(candidate->written);
    if (!has_type_of_best(candidate->result()) || !problem_.may_be_shown_by(candidate->interpreted) ||
        backend_.declines(candidate->written.model))
      return false;
    std::optional<CaseRecord> record = problem_.shown_by(candidate->written);
    if (!record) return false;
    candidate->record = *std::move(record);
    candidate->rivals = problem_.rivals();
    if (!admits_rivals_ && !has_rivals_of_best(candidate->rivals)) return false;
    best_ = std::move(candidate);
    ++found_;
    return true;
  }

  std::optional<Candidate> made(const Node& node, const Form& form) const {
    try {
      Candidate candidate{.node = node, .form = &form, .written = case_of(node, form), .interpreted = {}};
      candidate.written.id = planned_.id;
      if (candidate.written.float6_padding_is_set) return std::nullopt;
      return candidate;
    } catch (const std::exception&) {  // no model of such a node can be written
      return std::nullopt;
    }
  }

  bool is_simpler(const Node& node, const Form& form) const {
    const auto elements = [](const Node& of) {
      std::int64_t sum = 0;
      for (const auto& input : of.inputs) sum += input ? input->size() : 0;
      return sum;
    };
    // Counting elements is faster than looking at their values.
    const std::int64_t before = elements(best_->node);
    const std::int64_t now = elements(node);
    return now != before ? now < before : complexity(node, form) < complexity(best_->node, *best_->form);
  }

  /// Whether the best one has all these rivals.
  bool has_rivals_of_best(const std::vector<std::string>& rivals) const {
    return std::ranges::all_of(
        rivals, [&](const std::string& name) { return std::ranges::find(best_->rivals, name) != best_->rivals.end(); });
  }

  /// A model whose output has another type shows something else.
  bool has_type_of_best(const Result* result) const {
    const Result* best = best_ ? best_->result() : nullptr;
    return best == nullptr || result == nullptr || best->y.type() == result->y.type();
  }

  bool try_any(const std::vector<Node>& nodes) {
    return std::ranges::any_of(nodes, [&](const Node& node) { return try_one(node, *best_->form); });
  }

  void shapes() {
    if (best_->result() == nullptr) {
      repeat([&] { return try_any(other_shapes(best_->node)); });
      return;
    }
    one_element();
    shorten_all();
    try_any(per_tensor(best_->node, result()));
    for (std::size_t dimension = 0; dimension < best_->node.inputs.front()->shape().size(); ++dimension) {
      shorten(dimension, /*from_end=*/true);
      shorten(dimension, /*from_end=*/false);
    }
    repeat([&] { return try_any(smaller_blocks(best_->node, result())); });
    repeat([&] { return try_any(fewer_dimensions(best_->node, result())); });
    if (best_->node.inputs.front()->size() <= few_elements)
      repeat([&] { return try_any(parts(best_->node, result())); });
  }

  const Result& result() const { return *best_->result(); }

  /// One wrong element alone. If there are none, because the model is refused, the first one.
  void one_element() {
    std::vector<std::int64_t> places;
    for (const WrongElement& wrong : best_->record.wrong_elements.unpacked() | std::views::take(most_single_elements))
      places.push_back(wrong.index);
    if (places.empty()) places.push_back(0);
    for (const std::int64_t place : places)
      if (place < result().y.size() && try_one(single_element(best_->node, result(), place), *best_->form)) return;
  }

  /// Shortens all dimensions to the same length, in case their lengths must be equal.
  void shorten_all() {
    for (const std::int64_t length : {1, 2}) {
      Node shorter = best_->node;
      for (std::size_t dimension = 0; dimension < best_->node.inputs.front()->shape().size(); ++dimension) {
        const std::int64_t whole = shorter.inputs.front()->shape()[dimension];
        const Outcome outcome = reference::interpret(shorter, {}, {});  // of a part, without its elements
        std::optional<Node> part;
        if (whole > length && outcome.result() != nullptr)
          part = without(shorter, *outcome.result(), dimension, {length, whole});
        if (part) shorter = *std::move(part);
      }
      if (try_one(shorter, *best_->form)) return;
    }
  }

  /// Removes as many indices as possible from one end of a dimension, found by bisection: with the shorter ones of two
  /// lengths, a problem often disappears.
  void shorten(std::size_t dimension, bool from_end) {
    const Candidate base = *best_;
    const std::int64_t length = base.node.inputs.front()->shape()[dimension];
    const reference::DimensionSharing& sharing = base.result()->parameters.scale.dimensions[dimension];
    // From the front, whole blocks only: the rest of a block would get other scales.
    const bool is_packed = sharing.length != length;
    const std::int64_t unit = from_end || sharing.blocks == 1 || is_packed ? 1 : sharing.block;
    const auto shows_without = [&](std::int64_t units) {
      const std::int64_t count = units * unit;
      const Range removed = from_end ? Range{length - count, length} : Range{0, count};
      const std::optional<Node> shorter = without(base.node, *base.result(), dimension, removed);
      return shorter && try_one(*shorter, *base.form);
    };
    std::int64_t shown = 0;
    std::int64_t least_unshown = (length - 1) / unit + 1;
    for (std::int64_t units = least_unshown - 1; least_unshown - shown > 1; units = shown + (least_unshown - shown) / 2)
      (shows_without(units) ? shown : least_unshown) = units;
  }

  std::vector<Node> values(std::size_t operand) const {
    std::vector<Node> simpler = simpler_values(best_->node, operand);
    if (is_large() && simpler.size() > 1) simpler.resize(1);
    return simpler;
  }

  const PlannedCase& planned_;
  Backend& backend_;
  ShrinkProblem problem_;
  std::size_t found_ = 0;
  bool admits_rivals_ = true;  ///< few elements have more rivals than many; simpler values must not add any
  std::optional<Candidate> best_;
};

/// Whether its problem can be shown by another model than its own. It cannot if the file is at fault, or if the outputs
/// that it expects are not those of the reference.
bool can_be_another(const Case& whole, const CaseRecord& record) {
  return (record.subject || whole.model.graph != nullptr) && !whole.float6_padding_is_set &&
         (record.verdict != Verdict::fail || reference_agrees(whole, interpret(whole)));
}

}  // namespace

Shrunk shrink(const PlannedCase& planned, const CaseRecord& record, Backend& backend, const ShrinkOptions& options) {
  Shrunk shrunk{.smallest = reproduction(planned, record), .record = record};
  if (!record.is_problem() || record.answer_class() == AnswerClass::undecided ||
      !can_be_another(shrunk.smallest, record))
    return shrunk;
  Case whole = shrunk.smallest;
  if (whole.model.graph != nullptr) return shrink_graph(planned, whole, record, backend, options);
  // A refusal that a reading permits counts because the backend refuses the control, too. That shows it better.
  if (record.verdict == Verdict::rejects_valid && !options.judge.strict && !is_legal_by_all_readings(whole))
    if (std::optional<Case> control = control_of(planned)) whole = *std::move(control);
  Search search(planned, record, backend, options);
  if (search.begin(whole, planned.value_space() != nullptr ? 0 : record.data_set)) {
    search.simplify();
    if (search.is_confirmed()) {
      shrunk.is_smaller = digest_of(search.best().written) != digest_of(whole);
      shrunk.smallest = search.best().written;
      shrunk.record = search.best().record;
    }
  }
  shrunk.calls = search.calls();
  return shrunk;
}

}  // namespace touchstone::conformance
