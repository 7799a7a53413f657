#!/usr/bin/python3
"""Draws the tables of memplan-graph rematerialize --sweep as one SVG picture.

  plot_sweep.py NAME=FILE.csv... > curve.svg

Horizontal axis: the peak, in percent of the peak of the given order. Vertical axis:
the additional FLOPs in percent.
"""
import csv
import sys

COLORS = ["#1f77b4", "#d62728", "#2ca02c"]
WIDTH, HEIGHT, LEFT, BOTTOM = 520, 300, 50, 40


def points(path):
    found = []
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["status"] in ("optimal", "feasible"):
                full = int(row["budget"]) * 100 / int(row["percent"])
                found.append((100 * int(row["peak"]) / full,
                              float(row["extra_percent"])))
    return found


def main():
    curves = [(arg.split("=")[0], points(arg.split("=")[1]))
              for arg in sys.argv[1:]]
    top = max(y for _, curve in curves for _, y in curve) or 1
    place = lambda x, y: (f"{LEFT + (x - 40) / 60 * (WIDTH - LEFT - 10):.1f},"
                          f"{HEIGHT - BOTTOM - y / top * (HEIGHT - BOTTOM - 20):.1f}")
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
          f'height="{HEIGHT}" font-family="sans-serif" font-size="12">')
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    for x in range(40, 101, 10):
        a, b = place(x, 0), place(x, top)
        print(f'<polyline points="{a} {b}" stroke="#ddd" fill="none"/>'
              f'<text x="{a.split(",")[0]}" y="{HEIGHT - BOTTOM + 15}" '
              f'text-anchor="middle">{x}</text>')
    for k in range(5):
        y = top * k / 4
        print(f'<text x="{LEFT - 5}" y="{place(40, y).split(",")[1]}" '
              f'text-anchor="end">{y:.0f}</text>')
    print(f'<text x="{WIDTH // 2}" y="{HEIGHT - 8}" text-anchor="middle">peak, '
          'percent of the peak as given</text>'
          '<text x="8" y="14">additional FLOPs, percent</text>')
    for (name, curve), color, line in zip(curves, COLORS, range(9)):
        print(f'<polyline points="{" ".join(place(*p) for p in curve)}" '
              f'stroke="{color}" stroke-width="2" fill="none"/>')
        for p in curve:
            x, y = place(*p).split(",")
            print(f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"/>')
        print(f'<text x="{WIDTH - 120}" y="{40 + 16 * line}" fill="{color}">'
              f'{name}</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
