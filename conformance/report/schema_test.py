"""schema_test.py SCHEMA REPORT...: validates reports with an implementation of JSON Schema that is not ours."""

import copy
import json
import sys

import jsonschema


def mutants(report):
    """What the schema must not let pass: a member that nobody knows, at every depth; one missing; a wrong value."""
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


def main(schema_path, *report_paths):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for path in report_paths:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        for error in validator.iter_errors(report):
            sys.exit(f"{path}: {error.json_path}: {error.message}")
        for number, mutant in enumerate(mutants(report)):
            if validator.is_valid(mutant):
                sys.exit(f"{path}: the schema lets mutant {number} pass")
        seen = {member for case in report["cases"] for member in case}
        unseen = set(schema["$defs"]["case"]["properties"]) - seen
        if unseen:
            sys.exit(f"{path}: no case has {', '.join(sorted(unseen))}, so nothing is known of them")
        print(f"{path}: {len(report['cases'])} cases are valid")


main(*sys.argv[1:])
