"""Checks that every section of the rules that a comment or a guide cites exists, and every suite of tests.

A citation reads "linking rules, section 4.6", "App Store rules, sections 5.2 to 5.4" or "section 2.5 of the
App Store Server API rules". The pages are in the folder Documentation/rules; their numbered headings are the sections.

The comparison in asking-the-app-store.md names the suites that prove it.

Every relative link of a page leads to a file, and its anchor to a heading, as GitHub names it. Every page is in the
index of Documentation/README.md.

Every alert of alerts.yaml has a line in operating.md, with its severity.
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
INDEX = "Documentation/README.md"


def read(path):
    with open(f"{ROOT}/{path}", encoding="utf-8", errors="ignore") as file:
        return file.read()


def missing_suites(paths):
    """The suites that the comparison names, and that are not among the tests."""
    comparison = read("Documentation/guides/asking-the-app-store.md").split("\n## Comparison with other libraries\n")[1]
    named = set(re.findall(r'"([^"\n]+)"', "\n".join(re.findall(r"^\|.*\|$", comparison, re.M))))
    suites = {
        suite for path in paths if path.startswith("Tests/") and path.endswith(".swift")
        for suite in re.findall(r'@Suite\(\s*"([^"]+)"', read(path))}
    return sorted(named - suites)


def text_of(page):
    """A page without its code."""
    return re.sub(r"^```.*?^```$|`[^`\n]+`", "", read(page), flags=re.M | re.S)


def anchors(page):
    """The anchors of the headings, each once."""
    headings = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```$", "", read(page), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def lost_links(pages):
    """The links that lead nowhere, and the pages that the index leaves out."""
    lost, indexed = [], set()
    for page in pages:
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text_of(page)):
            if "://" in target:
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
            if page == INDEX:
                indexed.add(path)
            if not os.path.exists(f"{ROOT}/{path}") or anchor and anchor not in anchors(path):
                lost.append(f"{page}: the link {target}{anchor and '#'}{anchor} leads nowhere")
    return lost + [f"{page} is not in {INDEX}" for page in pages if page not in {*indexed, INDEX}]


def missing_alerts():
    """The alerts without a line that says what to do, and the lines without an alert."""
    rules = set(re.findall(
        r"- alert: (\w+)\n(?:(?!      - ).*\n)*? +labels: {severity: (\w+)}", read("Documentation/operations/alerts.yaml")))
    lines = set(re.findall(
        r"^\| `(Storekeeper\w+)` \| (\w+) \| .+ \| .+ \|$", read("Documentation/guides/operating.md"), re.M))
    return [f"Documentation/guides/operating.md: {name}, {severity}: " + (
        "no line says what to do" if (name, severity) in rules else "no such alert")
            for name, severity in sorted(rules ^ lines)]


def main():
    sections = {
        page: set(re.findall(r"^#+ ([0-9]+(?:\.[0-9]+)?) ", read(f"Documentation/rules/{page}"), re.M))
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
                    missing.append(f"{path}: {name}, section {number}: not in Documentation/rules/{page}")
    for suite in missing_suites(paths):
        missing.append(f"Documentation/guides/asking-the-app-store.md: there is no suite {suite}")
    pages = ["README.md", *(path for path in paths if path.startswith("Documentation/") and path.endswith(".md"))]
    missing += lost_links(pages) + missing_alerts()
    print("\n".join(missing) or f"{cited} cited sections exist, and the links of {len(pages)} pages")
    sys.exit(bool(missing))


main()
