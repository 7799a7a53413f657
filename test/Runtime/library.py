"""Runs library.c and checks the files that the library writes."""
import json
import os
import subprocess
import sys
import threading

program, folder = sys.argv[1:]
os.chdir(folder)


def run(*args, expected=0, **variables):
    done = subprocess.run([program, *args], timeout=60, stderr=subprocess.PIPE,
                          env={**os.environ, **variables}, text=True)
    assert done.returncode == expected, (args, done)
    return done.stderr


def counts(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["counts"]


# A new file, with the permissions that the umask leaves.
os.umask(0o027)
run(MEMPLAN_OBSERVE_JSON="new.json")
assert counts("new.json")["alloc"] == 1
assert os.stat("new.json").st_mode & 0o777 == 0o640

# The target of a link is replaced, and the link stays.
with open("target.json", "w") as file:
    file.write("old")
os.symlink("target.json", "link.json")
run(MEMPLAN_OBSERVE_JSON="link.json")
assert os.path.islink("link.json") and counts("target.json")["alloc"] == 1

# A pipe is written to.
os.mkfifo("pipe")
read = []
reader = threading.Thread(target=lambda: read.append(open("pipe").read()),
                          daemon=True)
reader.start()
run(MEMPLAN_OBSERVE_JSON="pipe")
reader.join(10)
assert json.loads(read[0])["counts"]["alloc"] == 1

# What cannot be written is said, and leaves nothing behind.
os.mkdir("folder")
assert "cannot write 'folder'" in run(MEMPLAN_OBSERVE_JSON="folder")
assert "cannot write 'no/x'" in run(MEMPLAN_OBSERVE_JSON="no/x")

# Processes with one file: that of the last one is there, whole.
assert run("processes", MEMPLAN_OBSERVE_JSON="many.json") == ""
assert counts("many.json")["alloc"] == 20000
run("fork")

# Bytes that are no UTF-8.
for variable, path in (("JSON", "text.json"), ("TRACE", "trace.json")):
    run(**{"MEMPLAN_OBSERVE_" + variable: path})
with open("text.json", encoding="utf-8") as file:
    (site,) = json.load(file)["sites"]
bad = "\N{REPLACEMENT CHARACTER}"
assert site["buffer"] == ("b\N{LATIN SMALL LETTER E WITH ACUTE}" + 6 * bad +
                          "\N{GRINNING FACE}" + 2 * bad), ascii(site["buffer"])
with open("trace.json", encoding="utf-8") as file:
    json.load(file)

# The memory is freed, and its slot dies, before it is allocated again.
run("reuse", MEMPLAN_OBSERVE_JSON="reuse.json")
with open("reuse.json", encoding="utf-8") as file:
    reuse = json.load(file)
assert [event["event"] for event in reuse["events"]] == [
    "alloc", "birth", "death", "free", "alloc", "free"], reuse["events"]
assert reuse["counts"]["free"] == reuse["counts"]["alloc"] == 2
assert reuse["peak"]["bytes"] == 32 and reuse["live_bytes"] == 0

# The first finding aborts; the observation is written, and a handler may exit.
for args, expected in ((["abort"], -6), (["abort", "handled"], 3)):
    run(*args, expected=expected, MEMPLAN_GUARD_FATAL="1",
        MEMPLAN_OBSERVE_JSON="abort.json")
    assert counts("abort.json")["findings"] == 1
    os.remove("abort.json")

left = set(os.listdir()) - {"new.json", "target.json", "link.json", "pipe",
                            "folder", "many.json", "text.json", "trace.json",
                            "reuse.json"}
assert not left, left
print("all checks hold")
