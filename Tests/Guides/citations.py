"""Checks that every section of the rules that a comment or a guide cites exists, and every suite of tests.

A citation reads "linking rules, section 4.6", "App Store rules, sections 5.2 to 5.4" or "section 2.5 of the
App Store Server API rules". The pages are in the folder Documentation; their numbered headings are the sections.

The comparison in asking-the-app-store.md names the suites that prove it.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The names in citations, with earlier ones.
PAGES = {
    "linking rules": "linking-rules.md",
    "contract on linking": "linking-rules.md",
    "app store rules": "app-store-rules.md",
    "app store server api rules": "app-store-server-rules.md",
    "contract on signed data": "app-store-rules.md",
    "credit rules": "credit-rules.md",
    "entitlement rules": "entitlement-rules.md",
    "google play rules": "google-play-rules.md",
}
NAMES = "|".join(PAGES)
CITATION = re.compile(
    rf"({NAMES})(?:\]\([^)]*\))?,? sections? "
    r"([0-9.]+(?: \([^)]*\))?(?:(?:,| and| to|, and) [0-9]+(?:\.[0-9]+)?(?: \([^)]*\))?)*)", re.I)
REVERSED = re.compile(rf"section ([0-9.]+) of the ({NAMES})", re.I)
FOLDERS = ["Sources", "Tests", "Examples", "Documentation"]


def read(path):
    with open(f"{ROOT}/{path}", encoding="utf-8", errors="ignore") as file:
        return file.read()


def missing_suites(paths):
    """The suites that the comparison names, and that are not among the tests."""
    comparison = read("Documentation/asking-the-app-store.md").split("\n## Comparison with other libraries\n")[1]
    named = set(re.findall(r'"([^"\n]+)"', "\n".join(re.findall(r"^\|.*\|$", comparison, re.M))))
    suites = {
        suite for path in paths if path.startswith("Tests/") and path.endswith(".swift")
        for suite in re.findall(r'@Suite\(\s*"([^"]+)"', read(path))}
    return sorted(named - suites)


def main():
    sections = {
        page: set(re.findall(r"^#+ ([0-9]+(?:\.[0-9]+)?) ", read(f"Documentation/{page}"), re.M))
        for page in PAGES.values()}
    paths = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    cited, missing = 0, []
    for path in paths:
        if not path.endswith((".swift", ".md", ".py", ".c", ".h", "/run")):
            continue
        text = re.sub(r"\s*\n\s*(?:///?|#|\*)? *", " ", read(path))
        reversed_ones = [(name, number) for number, name in REVERSED.findall(text)]
        for name, numbers in CITATION.findall(text) + reversed_ones:
            page = PAGES[name.lower()]
            for number in re.findall(r"[0-9]+(?:\.[0-9]+)?", re.sub(r"\([^)]*\)", "", numbers)):
                cited += 1
                if number not in sections[page]:
                    missing.append(f"{path}: {name}, section {number}: not in Documentation/{page}")
    for suite in missing_suites(paths):
        missing.append(f"Documentation/asking-the-app-store.md: there is no suite {suite}")
    print("\n".join(missing) or f"{cited} cited sections exist")
    sys.exit(bool(missing))


main()
