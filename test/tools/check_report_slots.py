#!/usr/bin/python3
"""check_report_slots.py REPORT: checks that in every arena no two slots that are live
at once share bytes, that every buffer is in the uses of its slots, and that the sizes
of the slots that are live at the peak add up to the peak. Prints the slots of each
arena in one line."""
import json
import sys


def overlap(a, b):
    times = any(x[0] < y[1] and y[0] < x[1] for x in a["live"] for y in b["live"])
    return (times and a["offset"] < b["offset"] + b["size"] and
            b["offset"] < a["offset"] + a["size"])


def check(arena):
    slots = {slot["name"]: slot for slot in arena["slots"]}
    assert len(slots) == len(arena["slots"]), "slots of one name"
    ordered = arena["slots"]
    for i, first in enumerate(ordered):
        assert first["offset"] % first["alignment"] == 0
        assert first["offset"] + first["size"] <= arena["arena_bytes"]
        for second in ordered[:i]:
            assert not overlap(first, second), (first, second)
    users = {name: [u["buffer"] for u in slot.get("uses", [{"buffer": name}])]
             for name, slot in slots.items()}
    planned = [b for b in arena["buffers"] if b["planned"]]
    for buffer in planned:
        assert buffer["slots"], buffer
        assert ("offset" in buffer) == (len(buffer["slots"]) == 1), buffer
        for name in buffer["slots"]:
            assert buffer["name"] in users[name], (buffer, slots[name])
    peak = arena["peak"]
    assert peak["bytes"] == sum(slots[n]["size"] for n in peak["slots"])
    places = ", ".join(f"{s['name']} at {s['offset']}" for s in ordered)
    held = ", ".join(f"{b['name']} in {' '.join(b['slots'])}" for b in planned)
    print(f"{arena['function']}: slots {places}; {held}")


with open(sys.argv[1], encoding="utf-8") as file:
    for each in json.load(file)["arenas"]:
        if each["status"] in ("optimal", "feasible", "limit"):
            check(each)
print("no two slots that are live at once overlap")
