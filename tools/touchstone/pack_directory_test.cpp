// Packs: what happens to the directory they are written to, and which packs are not judged.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <set>
#include <sstream>
#include <thread>

#include "conformance/packs/answers_backend.h"
#include "tools/touchstone/packs_testing.h"

namespace touchstone::tools::pack_directory_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::size_t count(const fs::path& directory, const std::string& name) {
  const auto entries = fs::recursive_directory_iterator(directory);
  return static_cast<std::size_t>(
      std::count_if(begin(entries), end(entries), [&](const auto& entry) { return entry.path().filename() == name; }));
}

TEST(PackDirectory, CanOmitOutputs) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  EXPECT_TRUE(fs::exists(scratch.path() / "pack" / legal_path / "test_data_set_0" / "output_0.pb"));
  const Outcome own = touchstone(scratch, {"judge", "pack", "--answers", "pack"});
  EXPECT_EQ(own.exit_code, 2);
  EXPECT_THAT(own.error, AllOf(HasSubstr("--answers pack"), HasSubstr("--without-outputs")));

  const std::vector<std::string> again{"export",           "pack",     "--suite",  "generated",
                                       "--tier",           "standard", "--filter", legal_id + ":" + illegal_id,
                                       "--without-outputs"};
  const Outcome refused = touchstone(scratch, again);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, HasSubstr("--overwrite"));
  std::vector<std::string> overwriting = again;
  overwriting.emplace_back("--overwrite");
  EXPECT_EQ(touchstone(scratch, overwriting).exit_code, 0);
  for (const char* name : {"output_0.pb", "permitted", "must_reject.txt"})
    EXPECT_EQ(count(scratch.path() / "pack", name), 0) << name;
  EXPECT_EQ(touchstone(scratch, {"judge", "pack", "--answers", "pack", "--output", "none"}).exit_code, 4);
  // Answers next to the inputs are accepted.
  fs::copy(scratch.path() / "answers", scratch.path() / "pack", fs::copy_options::recursive);
  EXPECT_EQ(touchstone(scratch, {"judge", "pack", "--answers", "pack", "--output", "all"}).exit_code, 0);
}

TEST(PackDirectory, ProtectsOtherFiles) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> to_pack{"export", "pack", "--suite", "generated", "--filter", "*/f32-f32-u8/*"};
  write_file(scratch.path() / "pack" / "mine.txt", "mine");
  Outcome refused = touchstone(scratch, to_pack);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, HasSubstr("pack/mine.txt: not written by touchstone export"));
  fs::remove_all(scratch.path() / "pack");

  write_file(scratch.path() / "pack" / "cases" / "mine.txt", "mine");
  refused = touchstone(scratch, to_pack);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, HasSubstr("is not empty and is not a pack"));
  EXPECT_TRUE(fs::exists(scratch.path() / "pack" / "cases" / "mine.txt"));
  fs::remove_all(scratch.path() / "pack");

  // A link that leads out of a pack is not followed, even to overwrite.
  ASSERT_EQ(touchstone(scratch, to_pack).exit_code, 0);
  write_file(scratch.path() / "outside" / "mine.txt", "mine");
  fs::rename(scratch.path() / "pack" / "cases", scratch.path() / "cases");
  fs::create_directory_symlink(scratch.path() / "outside", scratch.path() / "pack" / "cases");
  std::vector<std::string> overwriting = to_pack;
  overwriting.emplace_back("--overwrite");
  EXPECT_EQ(touchstone(scratch, overwriting).exit_code, 2);
  EXPECT_TRUE(fs::exists(scratch.path() / "outside" / "mine.txt"));
}

TEST(PackDirectory, IsNotAPackUntilItIsFinished) {
  const TemporaryDirectory scratch;
  const pid_t child = start(scratch, {"export", "pack", "--suite", "generated", "--tier", "standard"});
  while (!fs::exists(scratch.path() / "pack" / "cases")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const Outcome second = touchstone(scratch, {"export", "pack"});
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.error, HasSubstr("another export is writing to it"));
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait_for(scratch, child).exit_code, -SIGKILL);
  const Outcome judged = touchstone(scratch, {"judge", "pack", "--answers", "pack"});
  EXPECT_EQ(judged.exit_code, 2);
  EXPECT_THAT(judged.error, HasSubstr("was not finished"));
  EXPECT_EQ(touchstone(scratch, {"export", "pack", "--filter", legal_id + ":*/must_reject/attribute/axis"}).exit_code,
            0);
  EXPECT_FALSE(fs::exists(scratch.path() / "pack" / conformance::unfinished_name));
  EXPECT_EQ(count(scratch.path() / "pack" / "cases", "model.onnx"), 1);
}

TEST(PackDirectory, IsNotJudgedWithAnotherPlan) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  const fs::path manifest = scratch.path() / "pack" / conformance::manifest_name;
  const std::string whole = content_of(manifest);
  const auto replaced = [&](const std::string& text, const std::string& by) {
    std::string damaged = whole;
    EXPECT_NE(damaged.find(text), std::string::npos) << text;
    return damaged.replace(damaged.find(text), text.size(), by);
  };
  const std::string hash = manifest_in(scratch.path() / "pack")["plan"]["hash"];
  const std::string digest = manifest_in(scratch.path() / "pack")["cases"][0]["digest"];
  const std::pair<std::string, std::string> rows[]{
      {replaced(hash, "0123456789abcdef"), "with the hash 0123456789abcdef"},
      {replaced("\"seed\":0", "\"seed\":1"), "with the hash " + hash},
      {replaced("\"seed\":0", "\"seed\":-1"), "seed: is not a whole number"},
      {replaced(digest, std::string(64, 'a')), legal_id + ": \"digest\" is not what the plan makes"},
      {replaced("\"id\":\"" + legal_id, "\"id\":\"../../outside"),
       "has the case \"../../outside\" where the plan now has"},
      {replaced("\"generated\"", "\"genertaed\""), "unknown suite 'genertaed'"},
      {replaced("\"tier\":\"standard\"", "\"tier\":\"huge\""), "unknown tier \"huge\""},
      {replaced("{\"touchstone_pack\":2", "{\"touchstone_pack\":1"), "a format version other than 2"},
      {replaced("\"version\":\"", "\"version\":\"9"), ": touchstone 9"},
      {whole.substr(0, whole.size() / 2), "is not the manifest of a pack, or is damaged"},
      {"[]", "is not the manifest of a pack"},
      {std::string(100'000, '['), "is not the manifest of a pack"},
  };
  for (const auto& [content, message] : rows) {
    write_file(manifest, content);
    const Outcome judged = judge(scratch);
    EXPECT_EQ(judged.exit_code, 2) << message;
    EXPECT_THAT(judged.error, HasSubstr(message));
    EXPECT_FALSE(fs::exists(scratch.path() / "out")) << message;
  }
}

/// Whoever reads the manifest relies on everything in it, not only on the digests.
TEST(PackDirectory, IsNotJudgedIfAMemberOfACaseWasChanged) {
  const TemporaryDirectory scratch;
  const std::string negative_id = "quantize_linear/13/f32-f32-u8/per_tensor/zp/scale/negative";
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--suite", "generated", "--tier", "standard", "--filter",
                                 legal_id + ":" + illegal_id + ":" + negative_id})
                .exit_code,
            0);
  fs::create_directories(scratch.path() / "answers");
  const fs::path path = scratch.path() / "pack" / conformance::manifest_name;
  std::vector<std::string> lines;
  std::istringstream content(content_of(path));
  for (std::string line; std::getline(content, line);) lines.push_back(line);
  std::set<std::string> changed;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    const bool has_comma = lines[i].ends_with(',');
    const auto row = nlohmann::ordered_json::parse(lines[i].substr(0, lines[i].size() - (has_comma ? 1 : 0)));
    for (const auto& [name, value] : row.items()) {
      if (name == "id" || !changed.insert(name).second) continue;
      nlohmann::ordered_json other = row;
      nlohmann::ordered_json& member = other[name];
      if (value.is_boolean())
        member = !value.get<bool>();
      else if (value.is_number())
        member = value.get<int>() + 1;
      else if (value.is_string())
        member = value.get<std::string>() + "0";
      else
        member.push_back(0);
      std::vector<std::string> edited = lines;
      edited[i] = other.dump() + (has_comma ? "," : "");
      write_file(path, fmt::format("{}\n", fmt::join(edited, "\n")));
      const Outcome judged = touchstone(scratch, {"judge", "pack", "--answers", "answers", "--output", "out"});
      EXPECT_EQ(judged.exit_code, 2);
      EXPECT_THAT(judged.error, HasSubstr("\"" + name + "\" is not what the plan makes"));
    }
  }
  EXPECT_THAT(changed, testing::IsSupersetOf({"path", "must_reject", "violated", "form", "digest", "elements", "masked",
                                              "clauses", "data_sets", "permitted", "control"}));
}

/// The plan is that of the pack, but the manifest does not have all of its cases, so that some were not compared.
TEST(PackDirectory, IsNotJudgedIfCasesAreMissing) {
  const TemporaryDirectory scratch;
  export_two(scratch);
  const fs::path path = scratch.path() / "pack" / conformance::manifest_name;
  const std::string whole = content_of(path);
  std::string cut = whole;
  cut.erase(cut.find(",\n"), cut.find("\n]}") - cut.find(",\n"));
  write_file(path, cut);
  Outcome judged = judge(scratch);
  EXPECT_EQ(judged.exit_code, 2);
  EXPECT_THAT(judged.error,
              HasSubstr("manifest.json: line 2: is not the manifest of a pack, or is damaged: ends after 1 "
                        "of the 2 cases of the plan"));
  const std::string cases = "\"cases\":2";
  cut.replace(cut.find(cases), cases.size(), "\"cases\":1");
  write_file(path, cut);
  judged = judge(scratch);
  EXPECT_EQ(judged.exit_code, 2);
  EXPECT_THAT(judged.error, HasSubstr("manifest.json: has a plan of 1 cases; now there are 2"));
  EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

/// A manifest may come from somebody else.
TEST(PackDirectory, DoesNotDecideWhichDirectoryIsRead) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--data", "tests"}).exit_code, 0);
  answer_pack(scratch.path() / "pack", scratch.path() / "answers", "optimized");
  const Outcome judged = judge(scratch);
  EXPECT_EQ(judged.exit_code, 2);
  EXPECT_THAT(judged.error, HasSubstr("give the directory where they are now, for example --data " +
                                      (scratch.path() / "tests").string()));
  EXPECT_EQ(judge(scratch, {"--data", "tests"}).exit_code, 0);
  // The generated cases need no directory.
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--overwrite", "--data", "tests", "--suite", "generated", "--filter",
                                 legal_id, "--tier", "standard"})
                .exit_code,
            0);
  answer_pack(scratch.path() / "pack", scratch.path() / "answers", "optimized");
  EXPECT_EQ(judge(scratch).exit_code, 0);
}

/// Otherwise each failing case, which is run again with a new backend, would cost a time in proportion to the pack.
TEST(PackDirectory, WithAnswersIsNotReadWholeByTheirBackend) {
  const TemporaryDirectory scratch;
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--suite", "generated", "--tier", "standard", "--filter",
                                 legal_id + ":" + illegal_id, "--without-outputs"})
                .exit_code,
            0);
  const fs::path manifest = scratch.path() / "pack" / conformance::manifest_name;
  const std::string whole = content_of(manifest);
  write_file(manifest, whole.substr(0, whole.find('\n') + 1) + "not JSON");
  EXPECT_NO_THROW(conformance::AnswersBackend(scratch.path() / "pack"));
  write_file(manifest, "not JSON\n");
  EXPECT_THROW(conformance::AnswersBackend(scratch.path() / "pack"), conformance::FileError);
}

TEST(PackDirectory, HasNoSweeps) {
  const TemporaryDirectory scratch;
  const Outcome exported = touchstone(scratch, {"export", "pack", "--suite", "generated", "--tier", "exhaustive"});
  EXPECT_EQ(exported.exit_code, 2);
  EXPECT_THAT(exported.error, HasSubstr("--tier exhaustive is not for packs"));
  EXPECT_FALSE(fs::exists(scratch.path() / "pack"));
}

TEST(PackDirectory, HasAFolderForEachCase) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a" / "within");
  ASSERT_EQ(touchstone(scratch, {"export", "pack", "--data", "tests"}).exit_code, 0);
  for (const char* name : {"test_onnx_a", "test_onnx_a_within"})
    EXPECT_TRUE(fs::is_regular_file(scratch.path() / "pack" / "cases" / name / "model.onnx")) << name;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a-within");
  const Outcome exported = touchstone(scratch, {"export", "other", "--data", "tests"});
  EXPECT_EQ(exported.exit_code, 2);
  EXPECT_THAT(exported.error, AllOf(HasSubstr("would have the name test_onnx_a_within"), HasSubstr("--filter")));
}

TEST(PackDirectory, NamesCasesThatCannotBeRead) {
  const TemporaryDirectory scratch;
  copy_of("1.5.0/test_dequantizelinear", scratch.path() / "tests" / "a");
  write_file(scratch.path() / "tests" / "b" / "model.onnx", "nothing");
  const Outcome exported = touchstone(scratch, {"export", "pack", "--data", "tests"});
  EXPECT_EQ(exported.exit_code, 4);
  EXPECT_THAT(exported.out, HasSubstr("1 cases cannot be read"));
  const nlohmann::json manifest = manifest_in(scratch.path() / "pack");
  EXPECT_THAT(manifest["cases"][1]["not_exported"], HasSubstr("model.onnx"));
  answer_pack(scratch.path() / "pack", scratch.path() / "answers", "optimized");
  EXPECT_EQ(judge(scratch, {"--data", "tests"}).exit_code, 3);
  EXPECT_EQ(records_in(scratch.path() / "out").at("onnx/b").verdict, conformance::Verdict::harness_error);
  EXPECT_EQ(records_in(scratch.path() / "out").at("onnx/a").verdict, conformance::Verdict::pass);
}

}  // namespace
}  // namespace touchstone::tools::pack_directory_test
