"""Prints a module of 24 functions of buffers of several sizes; every third one calls
the one before it."""


def function(number):
    sizes = [16, 32, 64, 24, 8]
    lines = [f"func.func {'private ' if number % 3 == 0 else ''}@f{number}(%k: f32) {{"]

    def type_of(buffer):
        return f"memref<{sizes[(buffer * 7 + number) % 5]}xf32>"

    def part_of(name, buffer):
        part = "memref<8xf32, strided<[1]>>"
        lines.append(f"  %{name}{len(lines)} = memref.subview %b{buffer}[0][8][1]"
                     f" : {type_of(buffer)} to {part}")
        return f"%{name}{len(lines) - 1}", part

    for i in range(40):
        lines.append(f"  %b{i} = memref.alloc() : {type_of(i)}")
        lines.append(f"  linalg.fill ins(%k : f32) outs(%b{i} : {type_of(i)})")
        before = i - 1 - (i * 5 + number) % 9
        if before >= 0:
            (read, part), (written, _) = part_of("r", before), part_of("w", i)
            lines.append(f"  linalg.exp ins({read} : {part}) outs({written} : {part})")
        if i == 20 and number % 3 == 1:
            lines.append(f"  func.call @f{number - 1}(%k) : (f32) -> ()")
    return lines + ["  return", "}"]


for number in range(24):
    print("\n".join(function(number)))
