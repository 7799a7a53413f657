#!/usr/bin/python3
"""check_report.py DOC extract FOLDER   writes the example's program to FOLDER
check_report.py DOC compare REPORT   checks that REPORT is the report shown in DOC and
                                     has exactly the keys in the tables of DOC"""
import json
import re
import sys

# The heading of a table, and the objects of a report that it describes.
TABLES = {
    "Top level": lambda report: [report],
    "Totals": lambda report: [report["totals"]],
    "A function": lambda report: report["functions"],
    "An arena": lambda report: report["arenas"],
    "Concurrency": lambda report: [
        a["concurrency"] for a in report["arenas"] if "concurrency" in a
    ],
    "The peak": lambda report: [a["peak"] for a in report["arenas"]],
    "A slot": lambda report: [s for a in report["arenas"] for s in a["slots"]],
    "A buffer": lambda report: [b for a in report["arenas"] for b in a["buffers"]],
}


def block(text, language):
    return re.search(rf"```{language}\n(.*?)```", text, re.S).group(1)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if sys.argv[2] == "extract":
        with open(sys.argv[3] + "/main.mlir", "w", encoding="utf-8") as file:
            file.write(block(text, "mlir"))
        return 0
    with open(sys.argv[3], encoding="utf-8") as file:
        report = json.load(file)
    problems = []
    if report != json.loads(block(text, "json")):
        problems.append("the example is not what the tool prints:\n" +
                        json.dumps(report, indent=2))
    for heading, select in TABLES.items():
        section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
        documented = re.findall(r"^\| `(\w+)` \|", section, re.M)
        printed = {key for entry in select(report) for key in entry}
        for key in printed - set(documented):
            problems.append(f"{heading}: `{key}` is not documented")
        for key in set(documented) - printed:
            problems.append(f"{heading}: `{key}` is not printed")
    print("\n".join(problems) if problems else "the report is as documented")
    return 1 if problems else 0


sys.exit(main())
