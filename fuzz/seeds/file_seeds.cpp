#include "fuzz/seeds/file_seeds.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/hex.hpp>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/backends/builtin/reference_backend.h"
#include "conformance/backends/workers/messages.h"
#include "conformance/files/file_io.h"
#include "conformance/files/limits.h"
#include "conformance/files/zip_archive.h"
#include "conformance/generate/form.h"
#include "conformance/generate/illegal_cases.h"
#include "conformance/generate/legal_cases.h"
#include "conformance/generate/stored_tensor.h"
#include "conformance/graphs/graph_cases.h"
#include "conformance/packs/manifest.h"
#include "conformance/report/samples_testing.h"
#include "conformance/run/journal.h"
#include "conformance/run/journal_testing.h"
#include "conformance/run/record_json.h"
#include "conformance/run/reproducer.h"
#include "conformance/run/runner.h"
#include "fuzz/directory_input.h"
#include "fuzz/graph_choice.h"
#include "fuzz/library_data.h"
#include "fuzz/pack_answers.h"
#include "fuzz/pieces.h"
#include "fuzz/small_plan.h"
#include "fuzz/test_directory.h"

namespace touchstone::fuzz {

using namespace conformance;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t seed_of_plan = 0;
std::string file_name(std::string id) {
  std::ranges::replace(id, '/', '.');
  return id;
}

/// For every operator version, granularity and form the legal case with the fewest elements, and for every operator and
/// rule the first case that violates it.
std::map<std::string, Case> make_small_cases() {
  std::vector<Recipe> recipes = all_recipes(seed_of_plan);
  std::erase_if(recipes, [](const Recipe& recipe) { return recipe.geometry->elements() > 64; });
  std::ranges::stable_sort(recipes, {}, [](const Recipe& recipe) { return recipe.geometry->elements(); });
  std::map<std::string, Case> cases;
  for (const Recipe& recipe : recipes) {
    const spec::OperatorVersion& version = *recipe.cell.version;
    const std::string name = fmt::format("{}.{}.{}.{}", spec::qualified_name(version.domain, version.op),
                                         version.since_version, spec::name(recipe.cell.granularity), recipe.form->name);
    if (!cases.contains(name)) cases.emplace(name, make_case(recipe));
  }
  for (const IllegalCase& illegal : illegal_cases(seed_of_plan)) {
    const std::string name = fmt::format("{}.must_reject.{}", illegal.id->substr(0, illegal.id->find('/')),
                                         illegal.rule().substr(0, illegal.rule().find('/')));
    if (!cases.contains(name)) cases.emplace(name, make_case(illegal));
  }
  return cases;
}

const std::map<std::string, Case>& small_cases() {
  static const auto cases = make_small_cases();
  return cases;
}

/// For each pattern, the first parameters that it has.
std::vector<GraphChoice> one_of_each_pattern() {
  const std::vector<GraphParameters> all = all_graph_parameters();
  std::vector<GraphChoice> found;
  for (const Pattern& pattern : patterns()) {
    const auto place = std::ranges::find_if(all, pattern.has);
    found.push_back(
        {static_cast<std::uint32_t>(&pattern - patterns().data()), static_cast<std::uint32_t>(place - all.begin())});
  }
  return found;
}

SeedContents model_files() {
  SeedContents seeds;
  for (const auto& [name, made] : small_cases()) seeds[name] = made.model.bytes;
  const std::vector<GraphParameters> all = all_graph_parameters();
  for (const GraphChoice& choice : one_of_each_pattern()) {
    const Pattern& pattern = patterns()[choice.pattern];
    seeds[fmt::format("graph.{}", pattern.name)] =
        make_case({.id = pattern.name, .pattern = &pattern, .parameters = all[choice.parameters], .seed = seed_of_plan})
            .model.bytes;
  }
  return seeds;
}

/// Without data: the cases have their own.
SeedContents graph_choices() {
  SeedContents seeds;
  for (const GraphChoice& choice : one_of_each_pattern())
    seeds[std::string(patterns()[choice.pattern].name)] =
        std::string(reinterpret_cast<const char*>(&choice), sizeof choice);
  return seeds;
}

SeedContents tensor_files() {
  struct Way {
    std::string_view name;
    Storage storage;
  };
  constexpr std::array ways{Way{"raw_data", Storage::raw_data}, Way{"typed_field", Storage::typed_field},
                            Way{"raw_data_with_garbage", Storage::raw_data_with_garbage}};
  const std::array<reference::Shape, 3> shapes{reference::Shape{}, {0, 3}, {3, 5}};
  SeedContents seeds;
  for (const spec::ElementTypeInfo& type : spec::element_types)
    for (const Way& way : ways)
      for (const reference::Shape& shape : shapes) {
        reference::Tensor tensor(type.type, shape);
        for (std::int64_t i = 0; i < tensor.size(); ++i)
          tensor.set_code(i, static_cast<std::uint64_t>(i + 1) << (type.bits > 4 ? type.bits - 5 : 0));
        seeds[fmt::format("{}.{}.rank_{}", type.name, way.name, shape.size())] =
            stored_tensor(tensor, "x", way.storage).SerializeAsString();
      }
  for (const std::int64_t rank : {1, 2}) {
    onnx::SparseTensorProto sparse;
    *sparse.mutable_values() = to_tensor_proto(reference::Tensor(spec::ElementType::uint8, {1}), "x");
    *sparse.mutable_indices() = to_tensor_proto(
        reference::Tensor(spec::ElementType::int64, rank == 1 ? reference::Shape{1} : reference::Shape{1, 2}), "");
    for (int i = 0; i < 2; ++i) sparse.add_dims(3);
    seeds[fmt::format("sparse.{}", rank)] = sparse.SerializeAsString();
  }
  // By numpy.savez_compressed(path, numpy.arange(3, dtype=numpy.uint8)).
  const std::string archive = boost::algorithm::unhex(
      std::string("504b03041400000008000000210048ea66ec4700000083000000090014006172725f302e6e70790100100083000000000000"
                  "0047000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a05e536aa8aea3a09e965f54529498179f5f94920a"
                  "12774bcc294e058a17672416a402f91ac63a9a3a0ab50a14002e06462600504b010214031400000008000000210048ea66ec"
                  "47000000830000000900000000000000000000008001000000006172725f302e6e7079504b05060000000001000100370000"
                  "00820000000000"));
  seeds["numpy.npz"] = archive;
  seeds["numpy.npy"] = ZipArchive(archive, "numpy.npz").read("arr_0.npy", limits().file_bytes).value();
  return seeds;
}

SeedContents test_directories() {
  const std::vector<std::string> paths = paths_of_test_directory();
  SeedContents seeds;
  for (const auto& [name, made] : small_cases()) {
    if (made.data_sets.size() > 3) continue;
    Files files;
    for_each_file(made, interpret(made),
                  [&](const TestFile& file) { files[file.path.generic_string()] = file.content; });
    seeds[name] = input_of(files, paths);
  }
  return seeds;
}

/// Encodes the target's parameters: the number of input sets, the number of bytes per read, and who reads.
std::string conversation(std::string frames, std::size_t input_sets, std::size_t at_a_time, bool is_worker) {
  frames += static_cast<char>(input_sets);
  frames += static_cast<char>(at_a_time - 1);
  frames += static_cast<char>(is_worker);
  return frames;
}

SeedContents worker_frames() {
  ReferenceBackend backend;
  const Greeting greeting{backend.identity(),
                          {.element_types = {1, 2}, .opsets = {{"", 10, 21}}, .constant_scales_only = true}};
  const std::string hello = hello_frame(greeting);
  SeedContents seeds{{"hello", conversation(hello, 0, 256, false)},
                     {"refusal", conversation(hello + response_frame(1, Refusal{"no such operator"}), 1, 7, false)}};
  for (const PlannedCase& planned : small_plan()) {
    const Case asked = planned.read();
    Unit unit{asked.id, asked.model.bytes, {}};
    for (const DataSet& set : asked.data_sets) unit.inputs.emplace_back(set.inputs);
    unit.inputs.resize(std::min<std::size_t>(unit.inputs.size(), 3));
    const std::string name = file_name(asked.id);
    seeds["request." + name] = conversation(request_frame(1, unit), 0, 100, true);
    seeds["response." + name] =
        conversation(hello + response_frame(1, backend.run(unit)), unit.inputs.size(), 100, false);
  }
  const Unit unit{"", "", {{}, {}, {}}};
  const std::vector<Answer> answers{Outputs{}, Refusal{"no"}, Breakdown{Breakdown::Kind::protocol, "no tensor"}};
  seeds["answers"] = conversation(hello + response_frame(1, answers), answers.size(), 1, false);
  return seeds;
}

std::string journal_of(const RunInfo& run, std::span<const CaseRecord> records,
                       const std::optional<std::vector<Inconsistency>>& inconsistencies = std::nullopt,
                       const std::vector<FingerprintRow>& rows = {}) {
  const KeptDirectory scratch;
  const fs::path path = scratch.path() / journal_name;
  JournalWriter writer = JournalWriter::begin(path, run, "2026-11-24T18:25:46Z");
  writer.write(records);
  if (inconsistencies) writer.finish({.inconsistencies = inconsistencies, .fingerprint = rows}, "2026-11-24T18:27:46Z");
  return lines_of_journal(path);
}

SeedContents journals() {
  const Journal& run = small_run();
  const std::string journal = journal_of(run.run, run.records);
  SeedContents seeds{{"finished", journal}, {"unfinished", journal_of(run.run, std::span(run.records).first(1))}};
  for (const CaseRecord& record : run.records) {
    CaseRecord failing = record;
    failing.verdict = Verdict::crash;
    failing.reason = "signal 11";
    seeds["differs." + file_name(record.id)] =
        journal_of(run.run, {&record, 1}) + "=====\n" + journal_of(run.run, {&failing, 1});
  }
  SampleRun hostile = hostile_run();
  for (std::size_t i = 0; i < hostile.records.size(); ++i)
    seeds[fmt::format("hostile.{}", i)] = journal_of(hostile.run, {&hostile.records[i], 1});
  const std::string& id = hostile.records.front().id;
  seeds["inconsistent"] = journal_of(hostile.run, std::span(hostile.records).first(2),
                                     std::vector{hostile.inconsistencies.front()}, fingerprint("inputs", id, id));
  return seeds;
}

Json to_json(const KnownFailure& expectation) {
  Json json{{"pattern", expectation.pattern},
            {"verdict", name(expectation.verdict)},
            {"reason", expectation.reason},
            {"issue", expectation.issue}};
  if (expectation.expires) json["expires"] = *expectation.expires;
  return json;
}

SeedContents expectations() {
  std::vector<KnownFailure> expectations = hostile_run().expectations;
  for (const CaseRecord& record : small_run().records)
    expectations.push_back({record.id, Verdict::fail, "not yet", "https://example.org/1", "2027-06-30"});
  expectations.push_back({"quantize*:?e*-*must_reject*", Verdict::accepts_invalid, "never", "2", std::nullopt});
  SeedContents seeds{{"none", R"({"expectations": []})"}};
  for (std::size_t i = 0; i < expectations.size(); ++i)
    seeds[fmt::format("one.{}", i)] = to_line({{"expectations", Json::array({to_json(expectations[i])})}});
  Json all = Json::array();
  for (const KnownFailure& row : expectations) all.push_back(to_json(row));
  seeds["all"] = to_line({{"expectations", all}});
  return seeds;
}

std::string manifest_of_small_plan() {
  PackInfo pack{.run = small_run().run};
  pack.run.cases = 3;
  pack.run.assumed.static_shapes_only = true;
  std::string text = manifest_head(pack);
  for (const PlannedCase& planned : std::span(small_plan()).first(2)) {  // more would be too long for a seed
    const Case packed = planned.read();
    const std::vector<ReferenceOutcome> interpreted = interpret(packed);
    const CaseRecord described = describe(packed, interpreted);
    text += manifest_line(described, interpreted, permitted_outcomes(packed, interpreted), {}) + ",\n";
  }
  return text + manifest_line("unreadable", "no model.onnx") + manifest_end();
}

SeedContents pack_answers() {
  const Case asked = packed_case().read();
  const std::vector<std::string> paths = paths_of_answers();
  const fs::path test = pack_path(asked.id, false);
  const std::vector<ReferenceOutcome> interpreted = interpret(asked);
  const reference::Tensor& y = interpreted.front().outcome.result()->y;
  const std::string right = tensor_file_content(y, "y");
  const std::string other = tensor_file_content(reference::Tensor(y.type(), y.shape()), "y");
  const std::string wrong_type = tensor_file_content(reference::Tensor(spec::ElementType::float32, y.shape()), "y");
  const std::string first = test / "test_data_set_0" / output_name(0);
  const std::string second = test / "test_data_set_1" / output_name(0);
  const std::string additional = test / "test_data_set_1" / output_name(1);
  const std::string whole_refused = test / refused_name;
  const std::string first_refused = test / "test_data_set_0" / refused_name;
  const std::string who(answering_backend_name);
  const fs::path illegal = pack_path(packed_illegal_case().id, true);
  const std::vector<std::pair<std::string, Files>> rows{
      {"manifest", {{std::string(manifest_name), manifest_of_small_plan()}}},
      {"right", {{first, right}, {second, right}, {who, "device\n1.0\r\nof somebody\n"}}},
      {"wrong", {{first, right}, {second, other}, {who, "device"}}},
      {"wrong_type", {{first, wrong_type}, {second, right}}},
      {"incomplete", {{first, right}}},
      {"one_too_many", {{first, right}, {second, right}, {additional, right}}},
      {"refused", {{whole_refused, "no such operator\n"}}},
      {"one_refused", {{first_refused, "no such type\n"}, {second, right}}},
      {"refused_with_outputs", {{whole_refused, ""}, {first, right}}},
      {"illegal_refused", {{illegal / refused_name, "axis is a string\n"}}},
      {"illegal_answered", {{illegal / "test_data_set_0" / output_name(0), right}}},
  };
  SeedContents seeds;
  for (const auto& [name, files] : rows) seeds[name] = input_of(files, paths);
  return seeds;
}

SeedContents libraries() {
  const auto tensor = [](spec::ElementType type, unsigned faults, std::initializer_list<std::uint64_t> dims,
                         std::string_view data) {
    std::string piece{static_cast<char>(type), static_cast<char>(faults), static_cast<char>(dims.size())};
    for (const std::uint64_t dim : dims)
      for (unsigned i = 0; i < sizeof dim; ++i) piece += static_cast<char>(dim >> (8 * i));
    return piece.append(data);
  };
  const auto input = [](char kind, bool is_endless, std::initializer_list<std::string> pieces) {
    std::string made;
    append_piece(made, std::string{kind, static_cast<char>(is_endless)});
    for (const std::string& piece : pieces) append_piece(made, piece);
    return made;
  };
  const std::string bytes = tensor(spec::ElementType::uint8, 0, {2, 3}, "012345");
  SeedContents seeds{
      {"outputs", input(kind_outputs, false, {bytes, tensor(spec::ElementType::int4, no_name, {3}, "01")})},
      {"scalar", input(kind_outputs, false, {tensor(spec::ElementType::float32, no_dims, {}, "0123")})},
      {"empty", input(kind_outputs, false, {tensor(spec::ElementType::float16, no_data, {0}, "")})},
      {"endless", input(kind_outputs, true, {bytes})},
      {"overflow", input(kind_outputs, false, {tensor(spec::ElementType::uint8, 0, {1ULL << 63, 2}, "")})},
      {"capabilities", input(kind_capabilities, false, {std::string("\x01\0\0\0\x02\0\0\0", 8), "com.microsoft"})},
      {"endless_capabilities", input(kind_capabilities, true, {""})},
  };
  for (const Fault fault : {no_dims, no_data, endless_rank, endless_bytes})
    seeds[fmt::format("fault_{}", static_cast<unsigned>(fault))] =
        input(kind_outputs, false, {tensor(spec::ElementType::uint8, fault, {2}, "01")});
  return seeds;
}

SeedContents filters() {
  SeedContents seeds;
  for (const char* patterns :
       {"*", "A:B:-C:D", "onnx/1.22.0/*:quantize_linear/28/*-*/blocked/*", "*/*-*-u8/*", "-*/blocked/*",
        "onnx/*:-*axis", "*-onnx/*", "quantize*:?e*-*must_reject*", "**?*:::-"}) {
    std::string input;
    append_piece(input, patterns);
    append_piece(input, "quantize_linear/21/f32-f32-u8/per_tensor/zp/values");
    seeds[fmt::format("{}", seeds.size())] = input;
  }
  return seeds;
}

SeedContents commands() {
  return {{"plain", "my-worker --device 0"},
          {"single", "'it'\\''s' '' a'b'"},
          {"double", R"("a \"b\" \$ \n" --name="c d")"},
          {"escaped", "a\\ b \\\nc # a comment\nd"},
          {"open", "a 'b"}};
}

constexpr std::array table{
    TargetSeeds{"expectations", expectations},
    TargetSeeds{"filter", filters},
    TargetSeeds{"journal", journals},
    TargetSeeds{"library_data", libraries},
    TargetSeeds{"graph_differential", graph_choices},
    TargetSeeds{"model_file", model_files},
    TargetSeeds{"pack_answers", pack_answers},
    TargetSeeds{"shell_words", commands},
    TargetSeeds{"tensor_file", tensor_files},
    TargetSeeds{"test_directory", test_directories},
    TargetSeeds{"user_model", model_files},
    TargetSeeds{"worker_frame", worker_frames},
};

}  // namespace

std::span<const TargetSeeds> file_seeds() { return table; }

}  // namespace touchstone::fuzz
