"""Runs blocks of the guides, as parts of one program.

A file of Running is about a page, and extends the type of the page, such as `SellingCreditsPage`. Each block
that it calls becomes a method of that type. The name of the method is that of the block's heading, with a number
from the second block below a heading on: `try await grantAPurchase2()`. The properties of the type are the values
that the block is given. A block that declares types at its margin is part of the program if the file has the name
of one of them.

What a block claims in comments is checked: the value of an expression or of a constant before `// 500`, and a
comment that is a comparison, such as `// answer.status == 422`. So is each `#expect`.
"""
import glob
import os
import re
import subprocess
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Replaced in blocks that run: a host trusts Apple's root and its own clock, and these runs a simulated App Store's.
INSTEAD = {
    "environments: [.production, .sandbox])":
        "environments: [.production, .sandbox], trustAnchors: trustAnchors, now: time)",
}
LITERAL = re.compile(
    r'("(?:[^"\\]|\\.)*"|\.\w+(?:\([^()]*(?:\([^()]*\))*[^()]*\))?|-?[\d_]+|true|false|nil|\[[^\]]*\])(?=$|[ :,;.])')
CLAIM = re.compile(r"^(\s*)(?:let (\w+) = )?(\S.*?)  // (.+)$")
COMPARISON = re.compile(r"^(\s*)// (\S+ == \S.*)$")


@dataclass
class Block:
    """Swift of a page."""
    name: str
    code: str
    # The number of its first line.
    line: int
    # Why it is not compiled, or an empty text.
    reason: str

    @property
    def types(self):
        """The types that it declares at its margin."""
        return re.findall(
            r"^(?:@Suite\S* )?(?:public |final )*(?:class|struct|actor|enum) (\w+)", self.code, re.M)


def all_pages():
    """The paths of the pages, by their names: that of the file, and Documentation for the start page."""
    paths = [os.path.relpath(path, ROOT) for path in sorted(glob.glob(f"{ROOT}/Documentation/*/*.md"))]
    return {
        "README": "README.md", "Documentation": "Documentation/README.md",
        **{os.path.basename(path)[:-3]: path for path in paths}}


def path_of(page):
    return all_pages()[page]


def blocks(page):
    """All Swift of a page, in order."""
    with open(f"{ROOT}/{path_of(page)}", encoding="utf-8") as file:
        lines = file.read().split("\n")
    found, names, name, reason, number = [], {}, "", "", 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if mark := re.fullmatch(r"<!-- not compiled: (.*) -->", line):
            reason = mark[1]
        elif heading := re.fullmatch(r"#+ (?:[0-9.]+ )?(.*)", line):
            words = re.findall(r"[A-Za-z0-9]+", heading[1].replace("'", ""))
            name = "".join([words[0].lower(), *(word[0].upper() + word[1:] for word in words[1:])])
        elif line.startswith("```"):
            end = lines.index("```", number)
            if line == "```swift":
                names[name] = names.get(name, 0) + 1
                code = "".join(f"{text}\n" for text in lines[number:end])
                title = name + (str(names[name]) if names[name] > 1 else "")
                found.append(Block(title, code, number + 1, reason))
            reason, number = "", end + 1
    return found


def checked(line):
    """A line whose claim is checked."""
    if comparison := COMPARISON.match(line):
        return f"{comparison[1]}try await expect({comparison[2]})"
    # The program has a main of its own, and is one module, without the package of tests.
    line = re.sub(r"^(@main|@testable import \w+|import Testing)$", "", line)
    line = re.sub(r"@(Suite|Test)(\(.*?\))? ", "", line)
    line = re.sub(r"#expect\(throws: (\w+)\.self\) \{", r"try await expect(throws: \1.self) {", line)
    line = line.replace("#expect(", "try await expect(").replace("try #require(", "try require(")
    claim = CLAIM.match(line)
    value = claim and LITERAL.match(claim[4])
    # A statement has no value.
    if not value or re.match(r"//|case |try await expect|var |log\(|\S+ = ", claim[3]) or claim[3][-1] in "{,(":
        return line
    if claim[2]:
        return f"{line.split('  // ')[0]}; try await claim({claim[2]}, {value[1]})"
    return f"{claim[1]}try await claim({claim[3]}, {value[1]})"


def runnable(code):
    for text, other in INSTEAD.items():
        code = code.replace(text, other)
    return "".join(f"{checked(line)}\n" for line in code.splitlines())


def at(page, block, code):
    """Code whose faults are reported in the page."""
    return f'#sourceLocation(file: "{path_of(page)}", line: {block.line})\n{code}#sourceLocation()\n'


def type_of(page):
    return "".join(word.capitalize() for word in page.split("-")) + "Page"


def program(pages, left_to_reader, imports, folder):
    """Writes the files of the program, and prints which blocks it runs."""
    head = "".join(f"import {name}\n" for name in imports)
    paths = glob.glob(f"{HERE}/Running/*.swift")
    for page in pages:
        found = [block for block in blocks(page) if not block.reason]
        source = f"{HERE}/Running/{type_of(page)}.swift"
        text = ""
        if os.path.exists(source):
            with open(source, encoding="utf-8") as file:
                text = file.read()
        run = [block for block in found if re.search(rf"\b{block.name}\(\)", text)]
        types = [block for block in found
                 if text and any(re.search(rf"\b{name}\b", text) for name in block.types)]
        code = head
        if text and page in left_to_reader:
            code += f"extension {type_of(page)} {{{left_to_reader[page]}}}\n"
        for block in types:
            code += at(page, block, runnable(block.code))
        for block in run:
            body = runnable(block.code)
            result = " -> String" if re.search(r"^\s+return ", body, re.M) else ""
            code += f"extension {type_of(page)} {{\nfunc {block.name}() async throws{result} {{\n"
            code += at(page, block, body) + "}\n}\n"
        if text:
            paths.append(f"{folder}/{type_of(page)}-blocks.swift")
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(code)
        print(f"{page}: run: {names(run + types)}; only compiled: "
              + names([block for block in found if block not in run + types]))
    return paths


def names(found):
    return ", ".join(block.name for block in found) or "none"


def run(pages, left_to_reader, imports, folder, built, options):
    """Builds the program with the built objects of the package, and runs it."""
    paths = program(pages, left_to_reader, imports, folder)
    objects = [
        path for name in os.listdir(f"{ROOT}/Sources")
        for path in glob.glob(f"{built}/{name}.build/**/*.o", recursive=True)]
    libraries = subprocess.run(
        ["pkg-config", "--libs", "libcrypto", "libssl", "sqlite3", "libpq", "libmariadb", "libcurl", "yaml-0.1", "hiredis"],
        capture_output=True, text=True, check=True).stdout.split()
    built_program = subprocess.run(
        ["swiftc", "-swift-version", "6", "-parse-as-library", "-suppress-warnings", "-module-name", "GuideProgram",
         "-I", f"{built}/Modules", *options, *paths, *objects, *libraries, "-o", f"{folder}/guides"])
    if built_program.returncode:
        sys.exit("the program of the guides is not built")
    if subprocess.run([f"{folder}/guides"], cwd=ROOT).returncode:
        sys.exit("a guide claims what does not happen")
