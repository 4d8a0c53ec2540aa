"""Compares the models of this package with those of the stores: whatever a store defines has to be typed here.

Called by Tests/OfficialClients/run with the program that reads documents. Google's schemas are those of the
discovery document that its client brings with it, Apple's the classes of its library; neither is copied. For each
schema there is a document with every member set. A model knows a member if it refuses a value of another JSON type
there, by the member's path, and if it writes the document again as it was read; it knows a value of an enumeration if
its vocabulary has it.

    Tests/OfficialClients/run                    # with the pinned versions, among other things
    Tests/OfficialClients/run --document FILE    # with another discovery document of Google's

With another document, its changes are listed too: `+` and `-` for members, values and methods that come and go. What
is missing in a model is listed with Google's own words, and is what to do next.
"""

import argparse
import copy
import enum
import importlib
import json
import pathlib
import pkgutil
import subprocess
import sys
import typing
import uuid

import appstoreserverlibrary.models
import attr
from googleapiclient import discovery_cache

RESOURCES = ("purchases", "orders", "externaltransactions")
CATALOG = {f"monetization.{products}.{call}" for products in ("subscriptions", "onetimeproducts") for call in ("get", "list")}
# A query of Apple's history, whose parameters apple.py sends; it is no document.
NO_DOCUMENT = {"TransactionHistoryRequest"}
# Apple's answers of which only one member may be there at a time.
ALTERNATIVES = {"RealtimeResponseBody"}
# Texts in which the models read more than any text.
UUID = "7e3fb204-2547-4b1e-a2f3-0a1b2c3d4e5f"
TEXTS = {"priceMicros": "1990000", "requestIdentifier": UUID, "appAccountToken": UUID}
WRONG = {"of": "another type"}


class Reader:
    """The program that reads documents with the models of this package."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.values = json.loads(self.process.stdout.readline())["values"]

    def ask(self, vendor, model, document):
        """What the model made of a document: `json`, `refused` with a path, or `hasModel` false."""
        self.process.stdin.write(json.dumps({"vendor": vendor, "model": model, "json": document}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


# A schema is a dictionary of members. A member is a scalar of Python's, a Choice, a list of one member, a Mapping,
# or the name of a schema.

class Mapping:
    """An object whose members have any names and one kind."""

    NAME = "US"

    def __init__(self, kind):
        self.kind = kind


class Choice:
    """A member with a set of values, which belongs to a vocabulary of ours."""

    def __init__(self, vocabulary, values):
        self.vocabulary = vocabulary
        self.values = values


class Comparison:
    """The models of one vendor against its schemas."""

    def __init__(self, vendor, reader, schemas, roots, words=None):
        self.vendor = vendor
        self.reader = reader
        self.schemas = schemas
        self.roots = roots
        self.words = words or {}
        self.members = {}  # (schema, member) -> known
        self.values = {}  # (vocabulary, value) -> known
        self.faults = []

    def document(self, schema):
        """A document with every member of a schema."""
        return {name: self.sample(kind) for name, kind in self.schemas[schema].items()}

    def sample(self, kind):
        if isinstance(kind, str):
            return self.document(kind)
        if isinstance(kind, list):
            return [self.sample(kind[0])]
        if isinstance(kind, Mapping):
            return {Mapping.NAME: self.sample(kind.kind)}
        if isinstance(kind, Choice):
            return kind.values[0]
        return kind.sample

    def places(self, schema, path=()):
        """Each member in a document, as its path, its schema and its name."""
        for name, kind in self.schemas[schema].items():
            place = path + (name,)
            yield place, schema, name, kind
            while isinstance(kind, (list, Mapping)):
                step, kind = (0, kind[0]) if isinstance(kind, list) else (Mapping.NAME, kind.kind)
                place += (step,)
            if isinstance(kind, str):
                yield from self.places(kind, place)

    def run(self):
        for root in self.roots:
            self.compare(root)
        return self

    def compare(self, root):
        whole = self.document(root)
        # An answer without members needs no model.
        has_model = True
        for document in [{name: whole[name]} for name in whole] if root in ALTERNATIVES else [whole]:
            answer = self.reader.ask(self.vendor, root, document)
            if "refused" in answer:
                self.faults.append(f"{root}: a whole document is refused at {answer['refused']}")
            elif "json" not in answer:
                has_model = not document
                if not has_model:
                    self.faults.append(f"{root}: there is no model")
            elif answer["json"] != document:
                self.faults.append(f"{root}: it is written as {differences(document, answer['json'])}")
        for place, schema, name, kind in self.places(root):
            known = has_model and self.is_typed(root, whole, place)
            # Known wherever the schema stands: two models may read the same schema.
            self.members[schema, name] = self.members.get((schema, name), True) and known
            while isinstance(kind, list):
                kind = kind[0]
            if isinstance(kind, Choice):
                ours = self.reader.values[self.vendor].get(kind.vocabulary, [])
                for value in kind.values:
                    self.values[kind.vocabulary, value] = value in ours

    def is_typed(self, root, whole, place):
        """Whether a value of another type is refused at a place: beside all other members, or beside none."""
        path = written(place)
        for alone in (False, True):
            document = copy.deepcopy(whole)
            outer = at(document, place[:-1])
            if alone:
                outer.clear()
            outer[place[-1]] = "text" if isinstance(at(whole, place), dict) else WRONG
            refused = self.reader.ask(self.vendor, root, document).get("refused", "")
            if refused == path or refused.startswith(path + "["):
                return True
        return False

    def report(self, name):
        """Prints what is missing and the counts, and returns whether nothing is."""
        for fault in self.faults:
            print(f"  {fault}")
        for (schema, member), known in self.members.items():
            if not known:
                print(f"  {schema}.{member} is not typed: {self.words.get((schema, member), '')[:200]}")
        for (vocabulary, value), known in self.values.items():
            if not known:
                print(f"  {vocabulary} has no {value}")
        counts = [(sum(found.values()), len(found)) for found in (self.members, self.values)]
        self.count = f"{counts[0][0]} of {counts[0][1]} members, {counts[1][0]} of {counts[1][1]} values"
        print(f"{name}: {self.count}")
        return not self.faults and all(done == all_of_them for done, all_of_them in counts)


class Scalar:
    def __init__(self, sample):
        self.sample = sample


def at(document, place):
    for step in place:
        document = document[step]
    return document


def written(place):
    """A path as the models name it: `lineItems[0].productId`."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else ("." if text else "") + step
    return text


def differences(expected, found, place=()):
    """The first place where two documents differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in expected.keys() | found.keys():
            if expected.get(name) != found.get(name):
                return differences(expected.get(name), found.get(name), place + (name,))
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, (one, other) in enumerate(zip(expected, found)):
            if one != other:
                return differences(one, other, place + (index,))
    return f"{found!r} in place of {expected!r} at {written(place)}"


# Google

class Discovery:
    """A discovery document: its methods on purchases, orders and external transactions, those that read the catalog,
    and their schemas."""

    def __init__(self, document):
        self.document = document
        self.revision = document["revision"]
        self.methods = {
            name: method for name, method in self.walk(document["resources"])
            if (name.split(".")[0] in RESOURCES or name in CATALOG) and not method.get("description", "").startswith("Deprecated")}
        self.words = {}
        self.schemas = {}
        self.roots = []
        for method in self.methods.values():
            for part in ("request", "response"):
                if part in method and method[part]["$ref"] not in self.roots:
                    self.roots.append(method[part]["$ref"])
        for root in self.roots:
            self.read(root)

    def walk(self, resources, place=""):
        for name, resource in resources.items():
            for method, content in resource.get("methods", {}).items():
                yield f"{place}{name}.{method}", content
            yield from self.walk(resource.get("resources", {}), f"{place}{name}.")

    def read(self, name):
        if name in self.schemas:
            return
        members = self.schemas[name] = {}
        for member, content in self.document["schemas"][name].get("properties", {}).items():
            self.words[name, member] = content.get("description", "")
            members[member] = self.kind(name, member, content)

    def kind(self, schema, member, content):
        if "$ref" in content:
            self.read(content["$ref"])
            return content["$ref"]
        if content["type"] == "array":
            return [self.kind(schema, member, content["items"])]
        if content["type"] == "object":
            return Mapping(self.kind(schema, member, content["additionalProperties"]))
        if "enum" in content:
            return Choice(f"{schema}.{member}", content["enum"])
        if content["type"] == "string":
            texts = {"google-datetime": "2026-11-27T03:04:05.678Z", "int64": "1234", "google-duration": "86400.500000000s"}
            return Scalar(texts.get(content.get("format"), TEXTS.get(member, "text")))
        return Scalar({"integer": 7, "boolean": True, "number": 1.5}[content["type"]])

    def things(self):
        """Everything that a later document may change."""
        def text(kind):
            if isinstance(kind, list):
                return f"[{text(kind[0])}]"
            if isinstance(kind, Mapping):
                return f"{{{text(kind.kind)}}}"
            if isinstance(kind, Choice):
                return "text"
            return kind if isinstance(kind, str) else type(kind.sample).__name__
        found = {f"method {name}" for name in self.methods}
        for schema, members in self.schemas.items():
            for member, kind in members.items():
                found.add(f"{schema}.{member}: {text(kind)}")
                while isinstance(kind, list):
                    kind = kind[0]
                if isinstance(kind, Choice):
                    found |= {f"{schema}.{member} = {value}" for value in kind.values}
        return found


def google(reader, file):
    pinned = Discovery(json.loads(discovery_cache.get_static_doc("androidpublisher", "v3")))
    document = pinned
    if file:
        with open(file, encoding="utf-8") as content:
            document = Discovery(json.load(content))
        before, after = pinned.things(), document.things()
        print(f"From revision {pinned.revision} to {document.revision}:")
        for thing in sorted(before ^ after, key=lambda one: one.removeprefix("method ")):
            print(f"  {'+' if thing in after else '-'} {thing}")
    print(f"Google's discovery document, revision {document.revision}")
    models = Comparison("google", reader, document.schemas, document.roots, document.words).run()
    calls = set(reader.values["google"]["methods"])
    for name in sorted(document.methods.keys() - calls):
        print(f"  {name} has no call")
    for name in sorted(calls - document.methods.keys()):
        print(f"  {name} is called, and is no method of Google's")
    whole = models.report("Google")
    methods = f"{len(document.methods.keys() & calls)} of {len(document.methods)}"
    print(f"Google: {methods} methods")
    # The guide has the same words and one row for each method.
    words = [f"revision {document.revision}", f"deprecated: {methods}.", models.count]
    rows = [f"| `{name}` | " for name in document.methods]
    is_told = bool(file) or is_in_guide(words + rows)
    return whole and calls == document.methods.keys() and is_told


def is_in_guide(words):
    """Prints what the guide to Google's calls lacks, and returns whether it has everything."""
    guide = pathlib.Path(__file__).parents[2] / "Documentation/guides/asking-google-play.md"
    text = guide.read_text(encoding="utf-8")
    joined = " ".join(text.split())
    lacking = [word for word in words if word not in text and word not in joined]
    for word in lacking:
        print(f"  {guide.name} lacks: {word}")
    return not lacking


# Apple

def apple(reader):
    classes, choices = {}, {}
    for module in pkgutil.iter_modules(appstoreserverlibrary.models.__path__):
        content = importlib.import_module(f"appstoreserverlibrary.models.{module.name}")
        for name, kind in vars(content).items():
            if not isinstance(kind, type) or kind.__module__ != content.__name__:
                continue
            if attr.has(kind):
                classes[name] = kind
            elif issubclass(kind, enum.Enum):
                choices[name] = kind

    def member(name, hint):
        arguments = [one for one in typing.get_args(hint) if one is not type(None)]
        if typing.get_origin(hint) is list:
            return [member(name, arguments[0])]
        if typing.get_origin(hint) is typing.Union:
            return member(name, arguments[0])
        if typing.get_origin(hint) is dict:
            # Numbers by the values of an enumeration.
            return Scalar({next(iter(arguments[0])).value: 7})
        if hint.__name__ in classes:
            return hint.__name__
        if hint.__name__ in choices:
            return Choice(hint.__name__, [one.value for one in hint])
        return Scalar({
            str: TEXTS.get(name, "text"), int: 1_700_000_000_000, bool: True, float: 1.5,
            uuid.UUID: UUID}[hint])

    schemas, inner = {}, set()
    for name, kind in classes.items():
        hints = typing.get_type_hints(kind)
        # Beside each enumeration's member the library has one with its raw value.
        schemas[name] = {
            one.name: member(one.name, hints[one.name]) for one in attr.fields(kind)
            if one.metadata.get("typeOfField") != "raw"}
        for content in schemas[name].values():
            while isinstance(content, list):
                content = content[0]
            if isinstance(content, str):
                inner.add(content)
    bases = {base.__name__ for kind in classes.values() for base in kind.__mro__[1:]}
    roots = sorted(classes.keys() - inner - bases - NO_DOCUMENT)
    comparison = Comparison("apple", reader, schemas, roots).run()
    # Values that no document has.
    for name, kind in choices.items():
        for value in kind:
            ours = reader.values["apple"].get(name, [])
            comparison.values[name, value.value] = value.value in ours
    whole = comparison.report("Apple")
    return is_in_guide([comparison.count]) and whole


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program", help="the program that reads documents")
    arguments.add_argument("--document", metavar="FILE", help="a discovery document of Google's")
    options = arguments.parse_args()
    reader = Reader(options.program)
    results = [google(reader, options.document), apple(reader)]
    reader.close()
    if not all(results):
        sys.exit("FAILED: the models lack what is listed above")


if __name__ == "__main__":
    main()
