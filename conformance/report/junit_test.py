"""junit_test.py REPORT...: reads JUnit reports with a reader that is not ours, and counts."""

import sys

from junitparser import Error, Failure, JUnitXml, Skipped


def check(path):
    report = JUnitXml.fromfile(path)
    totals = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for suite in report:
        cases = list(suite)
        results = [result for case in cases for result in case.result]
        found = {
            "tests": len(cases),
            "failures": sum(isinstance(result, Failure) for result in results),
            "errors": sum(isinstance(result, Error) for result in results),
            "skipped": sum(isinstance(result, Skipped) for result in results),
        }
        for name, count in found.items():
            if getattr(suite, name) != count:
                sys.exit(f"{path}: {suite.name}: {name} says {getattr(suite, name)} and there are {count}")
            totals[name] += count
        for case in cases:
            if case.classname != suite.name or not case.name:
                sys.exit(f"{path}: {suite.name}: a case without its class or its name")
        if not any(row.name == "plan hash" for row in suite.properties()):
            sys.exit(f"{path}: {suite.name}: has no plan hash")
    for name, count in totals.items():
        if getattr(report, name) != count:
            sys.exit(f"{path}: {name} says {getattr(report, name)} and there are {count}")
    print(f"{path}: {totals}")


for argument in sys.argv[1:]:
    check(argument)
