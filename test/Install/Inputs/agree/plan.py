"""plan.py FILE REPORT PAGE: prints the planned program, and writes its report and
its HTML page."""
import sys

import memplan

source, report, page = sys.argv[1:]
program = memplan.plan(source)
with open(report, "w") as file:
    file.write(program.report)
with open(page, "w") as file:
    file.write(program.to_html())
sys.stdout.write(program.text)
