# lit configuration of the memplan tests. A test requires a feature if it needs
# something that a machine may lack, and is then reported UNSUPPORTED:
#   shared-models, shared-problems, shared-graphs, shared-cases,
#   shared-frameworks
#                                   ../shared/models, ... beside the repository
#                                   (%shared)
#   slow                            takes more than a few seconds; on with
#                                   `--param slow=1` (target check-memplan)
#   fresh-machine                   makes a Debian system; on with
#                                   `--param fresh-machine=1`
#   clang-format                    clang-format-22 is installed
#   clang-tidy                      clang-tidy-22 is installed
#   chromium                        the browser is installed
#   mlir                            the MLIR side is built
#   opgraph                         op graphs are built
#   jsonschema                      Python's jsonschema is installed
import os
import shutil
import subprocess

import lit.formats

config.name = "memplan"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "lib", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.memplan_obj_root, "test")


def is_true(value):
    return value.upper() in ("ON", "1", "TRUE", "YES")


with_mlir = is_true(config.memplan_build_mlir)
if not with_mlir:
    config.excludes += ["IR", "Analysis", "Transforms", "Integration", "Models",
                        "Docs", "Runtime"]
# The documentation shows all tools and passes.
with_opgraph = is_true(config.memplan_build_opgraph)
if not with_opgraph:
    config.excludes += ["Graph", "OpGraph", "Docs"]

config.environment["PATH"] = os.path.pathsep.join([
    os.path.join(config.memplan_obj_root, "bin"), config.llvm_bin_dir,
    config.environment["PATH"]
])
# Do not depend on the user's settings.
config.environment["LC_ALL"] = "C"
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"
if is_true(config.memplan_sanitized):
    config.environment["ASAN_OPTIONS"] = (
        "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0")
    config.available_features.add("sanitized")

shared = os.path.join(os.path.dirname(config.memplan_src_root), "shared")
for folder in ("models", "problems", "graphs", "cases", "frameworks"):
    if os.path.isdir(os.path.join(shared, folder)):
        config.available_features.add("shared-" + folder)
if is_true(lit_config.params.get("slow", "0")):
    config.available_features.add("slow")
if (is_true(lit_config.params.get("fresh-machine", "0"))
        and os.geteuid() == 0 and shutil.which("debootstrap")):
    config.available_features.add("fresh-machine")
clang_format = os.path.join(config.llvm_bin_dir, "clang-format")
if os.access(clang_format, os.X_OK):
    config.available_features.add("clang-format")
clang_tidy = shutil.which("clang-tidy-22")
if clang_tidy:
    config.available_features.add("clang-tidy")
chromium = shutil.which("chromium")
if chromium:
    config.available_features.add("chromium")
if with_mlir:
    config.available_features.add("mlir")
if with_opgraph:
    config.available_features.add("opgraph")
if subprocess.run([config.python, "-c", "import jsonschema"],
                  stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("jsonschema")

runtime_lib = os.path.join(config.memplan_obj_root, "lib", "libMemPlanRuntime.so")
runner_libs = [
    os.path.join(config.llvm_lib_dir, "lib%s.so" % name)
    for name in ("mlir_runner_utils", "mlir_c_runner_utils",
                 "mlir_async_runtime")
]
config.substitutions += [
    ("%python", config.python),
    ("%memplan_src", config.memplan_src_root),
    ("%memplan_obj", config.memplan_obj_root),
    ("%shared", shared),
    ("%mlir_runner_utils", runner_libs[0]),
    ("%mlir_c_runner_utils", runner_libs[1]),
    ("%runner_libs", ",".join(runner_libs)),
    # Runs @main of the program in the LLVM dialect that is piped in, with the
    # library that instrumented programs call.
    ("%observe", "mlir-runner -O2 -e main -entry-point-result=void -shared-libs="
     + ",".join(runner_libs + [runtime_lib])),
    # Runs @main of the program on memrefs, planned or not, that is piped in.
    ("%memplan_runtime", runtime_lib),
    ("%execute", "memplan-opt --memplan-to-llvm | mlir-runner -O2 -e main "
     "-entry-point-result=void -shared-libs=" + ",".join(runner_libs)),
    ("%clang_format", clang_format),
    # A plan that the verifier does not accept is a bug, so every test fails on one.
    # RUN lines have the option in quotes, with a value, or without.
    (r"""(["'])--plan-memory=(?!require)""",
     r"\1--plan-memory=require=verified "),
    (r"""(?<!["'])--plan-memory=(?!require)""",
     '--plan-memory="require=verified "'),
    (r"""(?<!["'])--plan-memory(?![=\w-])""", "--plan-memory=require=verified"),
    ("%chromium", chromium or "chromium"),
    ("%clang_tidy", clang_tidy or "clang-tidy-22"),
    # The folder to which `cmake --install` wrote.
    ("%libdir", config.install_libdir),
    ("%install_lib", os.path.join(config.test_exec_root, "install-tree",
                                  config.install_libdir)),
    ("%install", os.path.join(config.test_exec_root, "install-tree")),
]
