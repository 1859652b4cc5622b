// Packs: cases are exported as files, and answers are read from files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <set>

#include "tools/touchstone/packs_testing.h"
#include "tools/touchstone/runs_testing.h"

namespace touchstone::tools::packs_test {
namespace {

using conformance::Verdict;
using testing::AllOf;
using testing::HasSubstr;

/// Cases of every element type, with scalars, empty tensors, and elements that share bytes with padding; cases from
/// files; must-reject cases.
const std::string varied_cases =
    "quantize_linear/25/f32-f32-*/zp/*shape/*:*_linear/25/f32-*/length/*:*_linear/28/*f32-f32-*/per_tensor/zp/*values:"
    "*_linear/28/*padding*:*_linear/28/must_reject/type/*:*_linear/28/must_reject/scale/*:onnx/1.22.0/*";

const std::vector<std::string> to_export{"export", "pack", "--tier", "standard", "--filter", varied_cases};

/// Inverts the lowest bit of the last byte of a tensor.
void corrupt_last_byte(const fs::path& path) {
  onnx::TensorProto tensor;
  ASSERT_TRUE(tensor.ParseFromString(content_of(path)));
  ASSERT_FALSE(tensor.raw_data().empty());
  tensor.mutable_raw_data()->back() ^= 1;
  write_file(path, tensor);
}

TEST(Packs, GiveTheVerdictsOfARun) {
  const TemporaryDirectory scratch;
  const Outcome exported = touchstone(scratch, to_export);
  ASSERT_EQ(exported.exit_code, 0) << exported.error;
  answer_pack(scratch.path() / "pack", scratch.path() / "answers", "optimized");
  const Outcome judged = judge(scratch, {"--strict", "--sign-of-zero"});
  const Outcome run = touchstone(scratch, {"run", "--filter", varied_cases, "--backend", "optimized", "--strict",
                                           "--sign-of-zero", "--output", "run"});
  EXPECT_EQ(judged.exit_code, run.exit_code) << judged.error;
  const auto of_run = records_in(scratch.path() / "run");
  const auto of_pack = records_in(scratch.path() / "out");
  EXPECT_GT(of_run.size(), 500);
  ASSERT_EQ(of_pack.size(), of_run.size());
  for (const auto& [id, record] : of_run) EXPECT_TRUE(of_pack.at(id) == record) << id;
  // The replay of a case reads the same answers.
  EXPECT_EQ(touchstone(scratch, {"replay", of_run.begin()->first, "--backend", "answers:answers"}).exit_code, 0);
}

TEST(Packs, HaveAFolderForEachDataSet) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--filter", "quantize_linear/25/*", "--without-outputs"}).exit_code,
            0);
  const nlohmann::json manifest = manifest_in(scratch.path() / "pack");
  int without_inputs = 0;
  for (const nlohmann::json& row : manifest["cases"])
    for (std::size_t i = 0; i < row["data_sets"].size(); ++i) {
      const fs::path folder = scratch.path() / "pack" / row["path"] / conformance::data_set_name(i);
      ASSERT_TRUE(fs::is_directory(folder)) << folder;
      without_inputs += fs::is_empty(folder) ? 1 : 0;
    }
  EXPECT_GT(without_inputs, 0);
}

TEST(Packs, DescribeTheRequirements) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(touchstone(scratch, to_export).exit_code, 0);
  const nlohmann::json manifest = manifest_in(scratch.path() / "pack");
  ASSERT_EQ(
      touchstone(scratch, {"run", "--filter", varied_cases, "--backend", "reference", "--output", "run"}).exit_code, 0);
  const auto records = records_in(scratch.path() / "run");
  ASSERT_EQ(manifest["cases"].size(), records.size());
  EXPECT_EQ(manifest["plan"]["hash"], report_in(scratch.path() / "run")["plan"]["hash"]);
  std::set<std::string> types;
  std::set<std::size_t> ranks;
  bool has_empty = false;
  for (const nlohmann::json& row : manifest["cases"]) {
    const conformance::CaseRecord& record = records.at(row["id"]);
    EXPECT_EQ(row["must_reject"], record.must_reject()) << *record.id;
    EXPECT_EQ(row["elements"], record.elements) << *record.id;
    EXPECT_EQ(row["clauses"].size(), record.clauses.size()) << *record.id;
    EXPECT_TRUE(fs::is_regular_file(scratch.path() / "pack" / row["path"] / "model.onnx")) << *record.id;
    std::int64_t masked = 0;
    for (const nlohmann::json& set : row["data_sets"]) {
      for (const nlohmann::json& interval : set.value("masked", nlohmann::json::array()))
        masked += interval[1].get<std::int64_t>() - interval[0].get<std::int64_t>() + 1;
      if (!set.contains("type")) continue;
      types.insert(set["type"]);
      ranks.insert(set["shape"].size());
      for (const nlohmann::json& dimension : set["shape"]) has_empty = has_empty || dimension == 0;
    }
    EXPECT_EQ(masked, record.masked) << *record.id;
  }
  // The expected outputs include elements that share bytes, scalars, and tensors without elements.
  for (const char* type : {"uint4", "int4", "uint2", "int2", "float4e2m1", "float6e3m2"})
    EXPECT_TRUE(types.contains(type)) << type;
  EXPECT_TRUE(ranks.contains(0));
  EXPECT_TRUE(has_empty);
}

/// A device that divides float16 in float16 only if there are several scales: all cases pass, and the reports say that
/// they contradict each other.
TEST(Packs, ShowThatADeviceIsInconsistent) {
  const TemporaryDirectory scratch;
  const fs::path pack = scratch.path() / "pack";
  const fs::path answers = scratch.path() / "answers";
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--tier", "standard", "--filter", "quantize_linear/21/f16-f16-?8/*"})
                .exit_code,
            0);
  answer_pack(pack, answers, "reference");
  const auto inconsistencies = [&] { return report_in(scratch.path() / "out").at("inconsistencies"); };
  ASSERT_EQ(judge(scratch).exit_code, 0);
  EXPECT_EQ(inconsistencies(), nlohmann::json::array());

  for (const fs::path& directory : conformance::find_test_directories(pack)) {
    if (directory.filename().string().find("per_tensor") != std::string::npos) continue;
    for (const fs::directory_entry& set : fs::directory_iterator(directory)) {
      // The last data set may repeat the first.
      const fs::path from =
          fs::exists(set.path() / "repeats.txt") ? directory / conformance::data_set_name(0) : set.path();
      const fs::path other = from / "permitted" / "amb-same-float-division-before-23.in-input-type.output_0.pb";
      if (fs::exists(other))
        fs::copy(other, answers / set.path().lexically_relative(pack) / "output_0.pb",
                 fs::copy_options::overwrite_existing);
    }
  }
  const Outcome judged = judge(scratch, {"--jobs", "1"});
  EXPECT_EQ(judged.exit_code, 0) << judged.error;
  EXPECT_THAT(unwrapped(judged.out), HasSubstr("follow different readings amb-same-float-division-before-23"));
  ASSERT_FALSE(inconsistencies().empty());
  const auto records = records_in(scratch.path() / "out");
  for (const nlohmann::json& row : inconsistencies()) {
    EXPECT_EQ(row["ambiguity"], "amb-same-float-division-before-23");
    EXPECT_NE(records.at(row["evidence"][0]["case"]).verdict, records.at(row["evidence"][1]["case"]).verdict);
  }

  // The result is the same from the journal, with another number of jobs, and after resuming the run.
  const auto of_one_job = results_in(scratch.path() / "out");
  const std::string report = content_of(scratch.path() / "out" / "report.json");
  EXPECT_EQ(touchstone(scratch, {"report", "out", "--format", "json"}).out, report);
  judge(scratch, {"--jobs", "5"});
  EXPECT_TRUE(results_in(scratch.path() / "out") == of_one_job);
  const fs::path journal = scratch.path() / "out" / "journal.ndjson.gz";
  std::string lines = content_of(journal);
  for (int i = 0; i < 4; ++i) lines.resize(lines.rfind('\n', lines.size() - 2) + 1);
  write_file(journal, conformance::compressed(lines));
  EXPECT_EQ(touchstone(scratch, {"run", "--resume", "out"}).exit_code, 0);
  EXPECT_TRUE(results_in(scratch.path() / "out") == of_one_job);

  // A report on a part of the run lists only inconsistencies within that part.
  const std::string form = inconsistencies()[0]["form"];
  const auto of_form =
      nlohmann::json::parse(touchstone(scratch, {"report", "out", "--format", "json", "--form", form}).out);
  EXPECT_FALSE(of_form.at("inconsistencies").empty());
  for (const nlohmann::json& row : of_form["inconsistencies"]) EXPECT_EQ(row["form"], form);
}

TEST(Packs, HaveOutputsThatPassUnderTheirReadings) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(touchstone(scratch, to_export).exit_code, 0);
  const nlohmann::json manifest = manifest_in(scratch.path() / "pack");
  // For each index in the lists of permitted outcomes, answers all cases that have such an outcome.
  std::size_t tried = 0;
  for (std::size_t place = 0, found = 1; found > 0; ++place) {
    found = 0;
    fs::remove_all(scratch.path() / "answers");
    fs::create_directory(scratch.path() / "answers");
    fs::copy(scratch.path() / "pack" / "controls", scratch.path() / "answers" / "controls",
             fs::copy_options::recursive);
    for (const nlohmann::json& row : manifest["cases"]) {
      if (!row.contains("permitted") || row["permitted"].size() <= place) continue;
      ++found;
      const nlohmann::json& permitted = row["permitted"][place];
      std::vector<fs::path> outputs;  // the last data set repeats the first
      for (std::size_t i = 0; i < permitted["data_sets"].size(); ++i) {
        const fs::path set = fs::path(row["path"]) / conformance::data_set_name(i);
        const bool is_primary = permitted["data_sets"][i]["outcome"] == "primary";
        const bool is_refused = permitted["data_sets"][i]["outcome"] == "refusal" ||
                                (is_primary && row["data_sets"][i]["outcome"] == "refusal");
        const std::string name = is_primary ? "output_0.pb" : permitted["output"];
        outputs.push_back(scratch.path() / "pack" / set / name);
        if (fs::exists(scratch.path() / "pack" / set / "repeats.txt")) outputs.back() = outputs.front();
        fs::create_directories(scratch.path() / "answers" / set);
        if (is_refused)
          write_file(scratch.path() / "answers" / set / conformance::refused_name, "by another reading");
        else
          fs::copy(outputs.back(), scratch.path() / "answers" / set / "output_0.pb");
      }
    }
    if (found == 0) break;
    tried += found;
    const Outcome judged = judge(scratch);
    EXPECT_EQ(judged.exit_code, 4) << "the other cases have no answers\n" << judged.error;
    std::size_t passed = 0;
    for (const auto& [id, record] : records_in(scratch.path() / "out")) {
      if (record.verdict == Verdict::not_run) continue;
      EXPECT_TRUE(is_permitted(record.verdict)) << id << ": " << *record.reason;
      ++passed;
    }
    EXPECT_EQ(passed, found);
  }
  EXPECT_GT(tried, 100);
}

TEST(Packs, DetectOneWrongByte) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  EXPECT_EQ(judge(scratch).exit_code, 0);
  // The second data set repeats the first, so its output must be the same.
  for (const char* set : {"test_data_set_0", "test_data_set_1"})
    corrupt_last_byte(scratch.path() / "answers" / legal_path / set / "output_0.pb");
  const Outcome judged = judge(scratch);
  EXPECT_EQ(judged.exit_code, 1);
  EXPECT_THAT(judged.out,
              AllOf(HasSubstr("0 right, 1 wrong, 0 refused, 0 not asked, of 1; illegal models: 1 rejected, of 1\n"),
                    HasSubstr(legal_id)));
  const auto records = records_in(scratch.path() / "out");
  EXPECT_EQ(records.at(legal_id).verdict, Verdict::fail);
  EXPECT_EQ(records.at(legal_id).wrong_elements.size(), 1);
  EXPECT_EQ(records.at(illegal_id).verdict, Verdict::pass);
  write_file(scratch.path() / "known.json", R"({"expectations": [{"pattern": "quantize_linear/10/f32*",
    "verdict": "fail", "reason": "the last bit", "issue": "X-1"}]})");
  EXPECT_EQ(judge(scratch, {"--expectations", "known.json"}).exit_code, 0);
}

TEST(Packs, CanBeAnsweredInPart) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  fs::remove_all(scratch.path() / "answers" / illegal_path);
  EXPECT_EQ(judge(scratch).exit_code, 4);
  EXPECT_EQ(records_in(scratch.path() / "out").at(illegal_id).verdict, Verdict::not_run);
  EXPECT_EQ(records_in(scratch.path() / "out").at(legal_id).verdict, Verdict::pass);
  fs::remove(scratch.path() / "answers" / legal_path / "test_data_set_1" / "output_0.pb");
  EXPECT_EQ(judge(scratch).exit_code, 4);
  const auto record = records_in(scratch.path() / "out").at(legal_id);
  EXPECT_EQ(record.verdict, Verdict::not_run);
  EXPECT_THAT(record.reason, HasSubstr("test_data_set_1"));
}

/// The control of the illegal case, in the pack of two cases.
fs::path control_path(const TemporaryDirectory& scratch) {
  const nlohmann::json manifest = manifest_in(scratch.path() / "pack");
  for (const nlohmann::json& row : manifest["cases"])
    if (row["id"] == illegal_id) return row.value("control", "");
  return {};
}

TEST(Packs, HaveControlsThatTheManifestNames) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(touchstone(scratch, to_export).exit_code, 0);
  const nlohmann::json manifest = manifest_in(scratch.path() / "pack");
  std::set<std::string> controls;
  std::size_t must_reject = 0;
  std::size_t of_legal_cases = 0;
  for (const nlohmann::json& row : manifest["cases"]) {
    const bool is_generated = !row["id"].get<std::string>().starts_with("onnx/");
    if (row["must_reject"] && is_generated) {
      ++must_reject;
      EXPECT_TRUE(row.contains("control")) << row["id"];
    }
    if (!row.contains("control")) continue;
    if (!row["must_reject"]) ++of_legal_cases;
    controls.insert(row["control"]);
    const fs::path folder = scratch.path() / "pack" / row["control"];
    EXPECT_TRUE(fs::is_regular_file(folder / "model.onnx")) << row["id"];
    EXPECT_TRUE(fs::is_regular_file(folder / "test_data_set_0" / "output_0.pb")) << row["id"];
  }
  EXPECT_GT(must_reject, 100);
  EXPECT_GT(of_legal_cases, 10);
  EXPECT_LT(controls.size(), must_reject + of_legal_cases) << "identical controls are written once";
  const auto folders = std::distance(fs::directory_iterator(scratch.path() / "pack" / "controls"), {});
  EXPECT_EQ(folders, static_cast<std::ptrdiff_t>(controls.size()));
}

TEST(Packs, DoNotCountARefusalWithoutTheControl) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  const fs::path control = control_path(scratch);
  ASSERT_NE(control, fs::path());
  const auto verdict = [&] {
    EXPECT_EQ(judge(scratch).exit_code, 0);
    return records_in(scratch.path() / "out").at(illegal_id);
  };
  EXPECT_EQ(verdict().verdict, Verdict::pass);
  fs::remove_all(scratch.path() / "answers" / control);
  EXPECT_EQ(verdict().verdict, Verdict::not_shown);
  EXPECT_THAT(verdict().reason, HasSubstr(control.string() + " does not exist"));
  write_file(scratch.path() / "answers" / control / "refused.txt", "no kernel\n");
  EXPECT_EQ(verdict().verdict, Verdict::not_shown);
  EXPECT_THAT(verdict().reason, HasSubstr("also refuses the model without the violation: no kernel"));
}

/// A reading permits rejecting a scale of zero. A backend that also refuses the model with ordinary values does not
/// follow that reading.
TEST(Packs, AcceptARefusalUnderAReadingOnlyWithTheControl) {
  const TemporaryDirectory scratch;
  const std::string id = "quantize_linear/21/f32-f32-u8/per_tensor/zp/scale/zero";
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--suite", "generated", "--tier", "standard", "--filter", id,
                                 "--without-outputs"})
                .exit_code,
            0);
  const nlohmann::json row = manifest_in(scratch.path() / "pack")["cases"][0];
  ASSERT_TRUE(row.contains("control"));
  const fs::path control = scratch.path() / "answers" / row["control"];
  write_file(scratch.path() / "answers" / row["path"] / "refused.txt", "no kernel");
  const auto verdict = [&] {
    judge(scratch);
    return records_in(scratch.path() / "out").at(id);
  };
  EXPECT_EQ(verdict().verdict, Verdict::rejects_valid) << "the control is not known to be accepted";
  write_file(control / "refused.txt", "no kernel");
  EXPECT_EQ(verdict().verdict, Verdict::rejects_valid);
  EXPECT_THAT(verdict().reason, HasSubstr("also refuses a similar, undisputed model: no kernel"));
  fs::remove(control / "refused.txt");
  write_file(control / "test_data_set_0" / "output_0.pb",
             conformance::tensor_file_content(reference::Tensor(spec::ElementType::uint8, {1}), "y"));
  EXPECT_EQ(verdict().verdict, Verdict::rejects_variant) << "whatever the output is";
}

TEST(Packs, DistinguishRefusalsFromOutputs) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  const fs::path answers = scratch.path() / "answers";
  fs::copy(answers / legal_path / "test_data_set_0" / "output_0.pb", answers / "some.pb");
  fs::remove_all(answers / legal_path);
  fs::remove_all(answers / illegal_path);
  write_file(answers / legal_path / "refused.txt", "no \x1b[31mkernel\nfor this\n");
  fs::create_directories(answers / illegal_path / "test_data_set_0");
  fs::rename(answers / "some.pb", answers / illegal_path / "test_data_set_0" / "output_0.pb");
  EXPECT_EQ(judge(scratch).exit_code, 1);
  const auto records = records_in(scratch.path() / "out");
  EXPECT_EQ(records.at(illegal_id).verdict, Verdict::accepts_invalid);
  EXPECT_EQ(records.at(legal_id).verdict, Verdict::rejects_valid);
  EXPECT_EQ(records.at(legal_id).reason, "no \\x1b[31mkernel");
}

TEST(Packs, ReportUnreadableAnswers) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  const fs::path whole = scratch.path() / "answers" / legal_path;
  const fs::path set = whole / "test_data_set_0";
  const std::string output = content_of(set / "output_0.pb");
  struct Damage {
    std::function<void()> damage;
    const char* reason;
  };
  const Damage rows[]{
      {[&] { write_file(set / "output_0.pb", ""); }, "output_0.pb"},
      {[&] { write_file(set / "output_0.pb", output.substr(0, output.size() / 2)); }, "output_0.pb"},
      {[&] { write_file(set / "refused.txt", "no"); }, "but it has outputs"},
      {[&] { write_file(whole / "refused.txt", "no"); }, "but test_data_set_0 has outputs"},
      {[&] { fs::rename(set / "output_0.pb", set / "output_1.pb"); }, "output_0.pb: missing"},
      {[&] {
         fs::rename(set / "output_0.pb", scratch.path() / "elsewhere.pb");
         fs::create_symlink(scratch.path() / "elsewhere.pb", set / "output_0.pb");
       },
       "a symbolic link, which is not followed"},
      {[&] {
         fs::rename(whole, scratch.path() / "elsewhere");
         fs::create_directory_symlink(scratch.path() / "elsewhere", whole);
       },
       "a symbolic link, which is not followed"},
      {[&] {
         fs::remove(set / "output_0.pb");
         fs::create_directory(set / "output_0.pb");
       },
       "not a regular file"},
  };
  fs::copy(scratch.path() / "answers", scratch.path() / "kept", fs::copy_options::recursive);
  for (const Damage& row : rows) {
    fs::remove_all(scratch.path() / "answers");
    fs::copy(scratch.path() / "kept", scratch.path() / "answers", fs::copy_options::recursive);
    row.damage();
    EXPECT_EQ(judge(scratch).exit_code, 3) << row.reason;
    const auto records = records_in(scratch.path() / "out");
    EXPECT_EQ(records.at(legal_id).verdict, Verdict::harness_error) << row.reason;
    EXPECT_THAT(records.at(legal_id).reason, HasSubstr(row.reason));
    EXPECT_EQ(records.at(illegal_id).verdict, Verdict::pass);
  }
}

TEST(Packs, NameTheBackend) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  write_file(scratch.path() / "answers" / "backend.txt", "npu\r\n2.1\r\nthe board on my desk\n");
  EXPECT_EQ(judge(scratch).exit_code, 0);
  const nlohmann::json report = report_in(scratch.path() / "out");
  EXPECT_EQ(report["backend"]["name"], "npu");
  EXPECT_EQ(report["backend"]["version"], "2.1");
  EXPECT_EQ(report["backend"]["description"], "the board on my desk");
}

}  // namespace
}  // namespace touchstone::tools::packs_test
