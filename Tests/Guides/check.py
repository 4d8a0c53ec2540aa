"""Compiles the code of the guides to embedding: check.py MODULES

MODULES is where the package's own modules are built. What is another package's is declared in Stubs.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Each imports only what stands before it.
STUBS = ["NIOCore", "NIOHTTP1", "Logging", "Crypto", "HTTPTypes", "ServiceLifecycle",
         "Hummingbird", "Vapor"]
# What the pieces that stand in a function of the host use.
GIVEN = {
    "vapor": "app: Application, purchases: Purchases",
    "hummingbird": "router: Router<BasicRequestContext>, logger: Logger, purchases: Purchases",
}
MODULE_MAPS = [
    argument for path in glob.glob(f"{ROOT}/Sources/C*/module.modulemap")
    for argument in ("-Xcc", f"-fmodule-map-file={path}")]
HEADERS = [
    argument for flag in subprocess.run(
        ["pkg-config", "--cflags", "libcrypto", "sqlite3", "libpq", "libcurl"],
        capture_output=True, text=True, check=True).stdout.split()
    for argument in ("-Xcc", flag)]


def compiler(folder, modules, *arguments):
    return subprocess.run(
        ["swiftc", "-swift-version", "6", "-parse-as-library", "-I", folder, "-I", modules,
         *MODULE_MAPS, *HEADERS, *arguments], cwd=folder)


def blocks(guide):
    with open(f"{ROOT}/Documentation/embed-in-{guide}.md") as file:
        return re.findall(r"^```swift\n(.*?)^```$", file.read(), re.M | re.S)


def sources(guide, folder):
    """The files that the page asks to write; pieces without imports stand in a function."""
    pieces, paths = blocks(guide), []
    imports = set(re.findall(r"^import (\w+)$", "".join(pieces[1:]), re.M))
    for number, code in enumerate(pieces):
        if code.startswith("// swift-tools-version"):
            check_manifest(code, folder)
            continue
        if not re.search(r"^import ", code, re.M):
            lines = "".join(f"import {name}\n" for name in sorted(imports))
            code = f"{lines}\nfunc piece({GIVEN[guide]}) async throws {{\n{code}}}\n"
        paths.append(f"{folder}/{guide}-{number}.swift")
        with open(paths[-1], "w") as file:
            file.write(code)
    missing = imports - {"Foundation"} - set(re.findall(r'name: "(\w+)"', pieces[0]))
    if missing:
        sys.exit(f"{guide}: imported and not in Package.swift: {sorted(missing)}")
    return paths


def check_manifest(code, folder):
    """Whether it is Swift; its packages are not fetched."""
    with open(f"{folder}/Package.swift", "w") as file:
        file.write(code)
    subprocess.run(["swiftc", "-frontend", "-parse", f"{folder}/Package.swift"], check=True)


def main():
    modules = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for stub in STUBS:
            compiler(folder, modules, "-emit-module", "-module-name", stub,
                     f"{HERE}/Stubs/{stub}.swift").check_returncode()
        for guide in GIVEN:
            names = [f"{HERE}/names.swift"] if guide == "vapor" else []
            if compiler(folder, modules, "-typecheck", "-warnings-as-errors",
                        *sources(guide, folder), *names).returncode:
                sys.exit(f"the code of embed-in-{guide}.md does not compile")
            print(f"embed-in-{guide}.md compiles")


main()
