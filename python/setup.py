# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the wheel. MEMPLAN_LIBRARIES names the folder of libMemPlanC.so,
libMemPlanMLIRC.so and libMemPlanRuntime, which become part of the wheel; without it the
package searches for them when it is loaded. MEMPLAN_TOOLS names the folder of the tools, which become
commands of the environment that the wheel is installed in."""
import os
import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent


class BuildWithLibraries(build_py):
    def run(self):
        super().run()
        source = os.environ.get("MEMPLAN_LIBRARIES")
        if source:
            target = Path(self.build_lib) / "memplan" / "lib"
            target.mkdir(parents=True, exist_ok=True)
            for name in ("libMemPlanC.so", "libMemPlanMLIRC.so", "libMemPlanRuntime.so",
                         "libMemPlanRuntime.a"):
                shutil.copyfile(Path(source) / name, target / name)


class PlatformWheel(bdist_wheel):
    """A wheel for every Python 3 of one platform, as nothing is compiled against Python."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


def version():
    text = (HERE.parent / "CMakeLists.txt").read_text()
    return re.search(r"project\(memplan VERSION ([0-9.]+)", text).group(1)


def tools():
    folder = os.environ.get("MEMPLAN_TOOLS")
    if not folder:
        return []
    # setuptools takes no absolute paths.
    return [("bin", sorted(os.path.relpath(path) for path in Path(folder).glob("memplan-*")))]


setup(version=version(), data_files=tools(), cmdclass={"build_py": BuildWithLibraries, "bdist_wheel": PlatformWheel})
