"""schema_test.py SCHEMA FILE...: validates reports with an implementation of JSON Schema that is not ours.

A FILE is report.json, summary.json, result.json, or the output of touchstone version --json.
"""

import copy
import functools
import json
import operator
import sys

import jsonschema


def mutants(report):
    """The schema must reject unknown members at every depth, missing members and wrong values."""
    def changed(change):
        mutant = copy.deepcopy(report)
        change(mutant)
        return mutant

    failed = next(i for i, case in enumerate(report["cases"]) if case.get("wrong_elements"))
    yield changed(lambda r: r.update(surprise=1))
    yield changed(lambda r: r["summary"]["verdicts"].update(surprise=1))
    yield changed(lambda r: r["cases"][failed].update(surprise=1))
    yield changed(lambda r: r["cases"][failed]["wrong_elements"][0]["expected"].update(surprise=1))
    yield changed(lambda r: r["cases"][failed].pop("digest"))
    yield changed(lambda r: r["cases"][failed].pop("opset"))
    yield changed(lambda r: r["cases"][failed].update(verdict="passed"))
    yield changed(lambda r: r["cases"][failed].update(elements=-1))
    yield changed(lambda r: r["cases"][failed]["wrong_elements"][0].update(expected=None))
    yield changed(lambda r: r["cases"][failed].update({"class": "fail"}))
    for member in ("asked", "right", "wrong", "refused", "not_asked", "undecided"):
        yield changed(lambda r: r["summary"].pop(member))
        yield changed(lambda r: r["matrix"][0].pop(member))
    yield changed(lambda r: r["graphs"][0].update(refused_other_operator=0))
    yield changed(lambda r: r["summary"].update(refused_other_operator=0))
    yield changed(lambda r: r["cases"][failed].update(refused_operator="float8e4m3fn"))
    yield changed(lambda r: r["support"][-1]["opsets"][0].update(refused_other_operator=0))
    yield changed(lambda r: r["summary"]["newer_opsets"].pop("reason"))
    yield changed(lambda r: r["summary"]["newer_opsets"].update(cases=0))
    yield changed(lambda r: r["options"].update(require=""))
    yield changed(lambda r: r["summary"].pop("expected"))
    yield changed(lambda r: r["summary"].pop("flaky"))
    yield changed(lambda r: r["forms"][0]["verdicts"].pop("timeout"))
    yield changed(lambda r: r["options"]["assume"].update(constant_scales_only=False))
    yield changed(lambda r: r["backend"]["declares"].update(surprise=1))
    yield changed(lambda r: r.pop("expectations"))
    yield changed(lambda r: r["covered"][0].update(surprise=1))
    yield changed(lambda r: r["covered"][0].update(x="all"))
    yield changed(lambda r: r["covered"][0]["x"].update(intervals=[]))
    yield changed(lambda r: r["covered"][0]["scale"]["intervals"][0].pop("last"))
    yield changed(lambda r: r["covered"][0]["zero_point"]["intervals"][0].update(first=0))
    yield changed(lambda r: r["inconsistencies"][0].update(surprise=1))
    yield changed(lambda r: r["inconsistencies"][0]["types"].pop("scale"))
    yield changed(lambda r: r["inconsistencies"][0]["evidence"].pop())
    yield changed(lambda r: r["inconsistencies"][0]["evidence"][0].update(readings=[]))
    yield changed(lambda r: r["inconsistencies"][0]["evidence"][1].update(surprise=1))
    yield changed(lambda r: r["fingerprint"][0].update(surprise=1))
    yield changed(lambda r: r["fingerprint"][0].update(result="primary"))
    yield changed(lambda r: r["fingerprint"][0].update(property="axis"))
    yield changed(lambda r: r["fingerprint"][0].update(parts=[]))
    yield changed(lambda r: r["fingerprint"][0]["parts"][0].update(readings=[]))
    yield changed(lambda r: r["fingerprint"][0]["parts"][0].update(surprise=1))
    yield changed(lambda r: r["expectations"][0].update(surprise=1))
    yield changed(lambda r: r["expectations"][0].pop("met"))
    yield changed(lambda r: r["expectations"][0].update(verdict="pass"))
    yield changed(lambda r: r["expectations"][0].update(expires="in summer"))
    yield changed(lambda r: r["expectations"][0].update(unexpected_passes=1))


def mutants_of_version(version):
    """The schema must reject unknown and missing members, and wrong values."""
    for path in ((), ("opsets",), ("opsets", "ai.onnx"), ("built_with",)):
        for member in ("surprise", *functools.reduce(operator.getitem, path, version)):
            mutant = copy.deepcopy(version)
            changed = functools.reduce(operator.getitem, path, mutant)
            changed[member] = None
            yield mutant
            if member != "surprise":
                del changed[member]
                yield mutant


def mutants_of_result(result):
    """The schema of compact results must reject the same, and counts of other kinds."""
    def changed(change):
        mutant = copy.deepcopy(result)
        change(mutant)
        return mutant

    def first(section, depth):
        """The innermost object of a section, which has arrays of counts."""
        return functools.reduce(lambda inner, _: next(iter(inner.values())), range(depth), section)

    yield changed(lambda r: r.update(surprise=1))
    yield changed(lambda r: r.update(touchstone_result=2))
    for member in ("plan", "judge", "total", "illegal", "operators", "graphs", "causes", "fingerprint", "journal"):
        yield changed(lambda r: r.pop(member))
    for member in ("total", "illegal", "plan", "judge", "backend"):
        yield changed(lambda r: r[member].update(surprise=1))
        yield changed(lambda r: r[member].popitem())
    yield changed(lambda r: r["configuration"].update(assume=[]))
    yield changed(lambda r: first(r["operators"], 3).update({"21": [1, 2, 3, 4, 5, 6]}))
    yield changed(lambda r: first(r["operators"], 3).update({"21": [-1]}))
    yield changed(lambda r: first(r["operators"], 3).update({"latest": [1]}))
    yield changed(lambda r: first(r["operators"], 2).update(per_row={"21": [1]}))
    yield changed(lambda r: first(r["float_types"], 2).update({"21": 1}))
    yield changed(lambda r: r["graphs"].update(pattern={"uint8": [1]}))
    if result["causes"]:
        yield changed(lambda r: r["causes"][0].update(surprise=1))
        yield changed(lambda r: r["causes"][0].update({"class": "right"}))
        yield changed(lambda r: r["causes"][0].pop("cases"))
    yield changed(lambda r: r.update(more_causes=0))
    yield changed(lambda r: r.update(not_run={"cases": 0, "reason": "none"}))
    yield changed(lambda r: r["fingerprint"].update({"amb-nan-to-integer": ["zero"]}))
    yield changed(lambda r: r["fingerprint"].update({"amb-nan-to-integer": {"axis": {"1": "zero"}}}))
    yield changed(lambda r: r["fingerprint"].update({"NaN": "zero"}))


def check_counts(path, report):
    summary = report["summary"]
    if summary["total"] + summary["illegal"]["total"] != summary["cases"]:
        sys.exit(f"{path}: legal and illegal cases are not all: {summary}")
    for row in (summary, *report["matrix"], *report["forms"], *report["graphs"]):
        if row["asked"] + row["not_asked"] != row["total"]:
            sys.exit(f"{path}: asked and not asked cases are not all: {row}")
        if row["right"] + row["wrong"] + row["refused"] + row["undecided"] != row["asked"]:
            sys.exit(f"{path}: the answer classes do not add up to the asked cases: {row}")
    for row in (summary["illegal"], *report["illegal"]):
        if sum(row[name] for name in ("rejected", "permitted", "not_rejected", "not_asked", "undecided")) != row["total"]:
            sys.exit(f"{path}: the answer classes do not add up to the illegal models: {row}")


def check_members(path, schema, report):
    for kind, rows in (("case", report["cases"]), ("expectation", report["expectations"])):
        unseen = set(schema["$defs"][kind]["properties"]) - {member for row in rows for member in row}
        if unseen:
            sys.exit(f"{path}: no {kind} has {', '.join(sorted(unseen))}, so nothing is known of them")


def main(schema_path, *paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        for error in validator.iter_errors(document):
            sys.exit(f"{path}: {error.json_path}: {error.message}")
        changed = mutants(document) if "cases" in document else ()
        if "built_with" in document:
            changed = mutants_of_version(document)
        if "touchstone_result" in document:
            changed = mutants_of_result(document)
        for number, mutant in enumerate(changed):
            if validator.is_valid(mutant):
                sys.exit(f"{path}: the schema lets mutant {number} pass")
        if "cases" in document:
            check_counts(path, document)
            check_members(path, schema, document)
        print(f"{path} is valid")


main(*sys.argv[1:])
