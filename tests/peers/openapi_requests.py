#!/usr/bin/env python3
"""For operations of real descriptions: what `becket call` sends is what the description asks for,
in the judgement of two programs that do not know Becket.

usage: openapi_requests.py CORPUS [--becket PROGRAM] [--only WORD] [--each N]

For each description a connector is imported for a diverse choice of operations, for each target;
each is called twice, with all arguments and with the required ones; a service on 127.0.0.1 keeps
the request, and the readers judge it against the description. Prints a line for each description
and a total; exits with 1 when anything disagrees, or when it is not 300 operations of 30."""

import argparse
import collections
import concurrent.futures
import json
import logging
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

import openapi_values as values
from openapi_description import Description
from openapi_expected import Disagreement, Expected, slots
from openapi_list import DESCRIPTIONS, EXCEPTIONS, is_judgeable
from openapi_readers import Core, Writer, judge_keys
from openapi_recorder import Recorder

TARGETS = ("pimpo", "becket")
KEY = "k3y+{}/="
PATIENCE = 60


class Trial:
    """All calls of one description."""

    def __init__(self, name, options, folder):
        self.name, self.options, self.folder = name, options, folder
        self.file = pathlib.Path(options.corpus) / name
        self.passed, self.failed, self.calls, self.excepted = [], {}, 0, set()

    def run(self):
        self.description = Description(self.file)
        offered = {target: self.listing(target) for target in TARGETS}
        everything = [one for one in offered["becket"]["operations"] if is_judgeable(self.description, one)]
        chosen = self.description.diverse(everything, self.options.each)
        said = offered["becket"]["base"]
        base = urllib.parse.urlsplit(said or "http://127.0.0.1" + self.description.base_path())
        service, path = f"{base.scheme}://{base.netloc}", base.path.rstrip("/")
        self.readers = [] if self.description.is_old else [Core(self.description, service)]
        self.writer = Writer(self.description, service + path)
        with Recorder() as recorder:
            for target in TARGETS:
                known = {one["id"] for one in offered[target]["operations"]}
                self.target(target, [one for one in chosen if one["id"] in known], self.address(said, recorder, path), recorder)
        self.passed = [one["id"] for one in chosen if one["id"] not in self.failed]
        return self

    def address(self, said, recorder, path):
        """The words that send the requests to the recorder."""
        here = f"http://127.0.0.1:{recorder.port}"
        return ("--server", here + path) if said else ("--base", here)

    def becket(self, *words, environment=None):
        done = subprocess.run([self.options.becket, *words], capture_output=True, text=True, timeout=PATIENCE,
                              env={"PATH": os.environ["PATH"], "HOME": str(self.folder), **(environment or {})}, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Disagreement(f"becket {' '.join(words)[:200]}: exit {done.returncode}: {done.stderr[:400]}")
        return done.stdout

    def listing(self, target):
        return json.loads(self.becket("openapi", str(self.file), "--target", target, "--json"))

    def target(self, target, chosen, base, recorder):
        folder = self.folder / f"{self.name}-{target}"
        self.becket("openapi", str(self.file), "peer", str(folder), "--target", target, *base,
                    "--only", ",".join(one["id"] for one in chosen))
        connector = json.loads((folder / "connector.json").read_text())
        keys = {name: KEY.format(at) for at, name in enumerate(connector.get("env", []))}
        for operation in chosen:
            try:
                self.operation(operation, capability_of(operation, connector), folder, keys, recorder)
            except Disagreement as error:
                self.failed.setdefault(operation["id"], f"[{target}] {error}")
            except Exception as error:
                self.failed.setdefault(operation["id"], f"[{target}] {type(error).__name__}: {error}"[:900])

    def operation(self, operation, capability, folder, keys, recorder):
        schema = capability.get("schema") or {"properties": {}}
        required = schema.get("required", [])
        places = {way[0]: place for place, _, way in slots(capability["request"])}
        plain = Expected(self.description, operation, capability, {})
        everything = {}
        for name, inner in (schema.get("properties") or {}).items():
            try:
                joined = plain.joined(name) if inner.get("type") == "string" else None
                inner = plain.with_pattern(name, inner)
                everything[name] = joined or values.make(inner, places.get(name, "body"), len(everything))
            except values.Unmakeable:
                if name in required:
                    raise
        everything = plain.of_one_alternative(everything)
        recorder.answer = answer((capability.get("result") or {}).get("path"))
        for given in (everything, {name: value for name, value in everything.items() if name in required}):
            recorder.take()
            given = self.call(operation, capability, folder, given, keys)
            seen = recorder.take()
            self.calls += 1
            if len(seen) != 1:
                raise Disagreement(f"{len(seen)} requests for one call")
            self.judge(operation, Expected(self.description, operation, capability, given), seen[0], keys)

    def call(self, operation, capability, folder, given, keys):
        """Calls, and says with which arguments: without those for which OpenAPI has no form, which
        `call` refuses."""
        for _ in range(len(given) + 1):
            try:
                self.becket("call", str(folder), capability["name"], "--args", json.dumps(given), "--yes", environment=keys)
                break
            except Disagreement as error:
                refused = re.search(r"`(\w+)` is a list of lists or objects, and each part of a `deepObject` list takes one value", str(error))
                if not refused:
                    raise
                self.excepted.add((operation["id"], "becket", "refuses a list of objects in the style deepObject, for which OpenAPI has no form"))
                given = {name: value for name, value in given.items() if name != refused.group(1)}
        return given

    def judge(self, operation, expected, seen, keys):
        places = judge_keys(self.description, operation, seen, keys)
        complaints = []
        for reader in [*self.readers, self.writer]:
            try:
                complaints += [(reader.name, *one) for one in reader.judge(expected, seen, places)]
            except Exception as error:
                complaints.append((reader.name, "reader", f"{type(error).__name__}: {error}"))
        left = [one for one in complaints if not self.is_excepted(operation, expected, *one)]
        if left:
            words = "; ".join(f"{reader}: {where}: {why}" for reader, where, why in left[:4])
            raise Disagreement(f"{words} <- {seen.method} {seen.target} {seen.body[:300]}")

    def is_excepted(self, operation, expected, reader, where, why):
        for exception in EXCEPTIONS:
            if exception.covers(self.name, operation["id"], reader, where, why, expected):
                self.excepted.add((operation["id"], reader, exception.reason))
                return True
        return False


def answer(path):
    """An answer that has an empty list where the capability looks for one."""
    value = [] if path else {}
    for step in reversed(path.split(".") if path else []):
        value = {step: value}
    return json.dumps(value).encode()


def capability_of(operation, connector):
    """The capability that was made of an operation: the one with its method and path."""
    blank = lambda path: re.sub(r"\{+[^{}]*\}+", "{}", re.split("[?#]", path)[0]).rstrip("/")
    near = [one for one in connector["capabilities"] if one["request"]["method"] == operation["method"]
            and blank(one["request"]["path"]) == blank(operation["path"])]
    named = [one for one in near if one["name"].split(".")[1] == operation["id"]]
    if not near:
        raise Disagreement("nothing was imported for it")
    return (named or near)[0]


def main():
    words = argparse.ArgumentParser()
    words.add_argument("corpus")
    words.add_argument("--becket", default="target/debug/becket")
    words.add_argument("--only", default="")
    words.add_argument("--each", type=int, default=12)
    options = words.parse_args()
    logging.disable(logging.CRITICAL)
    options.becket = str(pathlib.Path(options.becket).resolve())
    names = [name for name in DESCRIPTIONS if options.only in name]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(3) as threads:
        trials = [threads.submit(Trial(name, options, pathlib.Path(folder)).run) for name in names]
        done = [told(name, trial) for name, trial in zip(names, trials)]
    passed, failed = sum(one[0] for one in done), sum(one[1] for one in done)
    for reason, count in sorted(collections.Counter(reason for one in done for reason in one[3]).items()):
        print(f"excepted for {count}: {reason}")
    print(f"{len(done)} descriptions, {sum(one[2] for one in done)} calls: {passed} passed, {failed} failed")
    enough = options.only or (len(done) >= 30 and passed >= 300)
    sys.exit(0 if enough and not failed else 1)


def told(name, trial):
    try:
        trial = trial.result(timeout=1800)
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {str(error)[:600]}")
        return 0, 1, 0, []
    print(f"{name}: {len(trial.passed)} passed, {len(trial.failed)} failed ({trial.calls} calls, {trial.description.version})", flush=True)
    for operation, why in trial.failed.items():
        print(f"    {operation}: {' '.join(why.split())}")
    return len(trial.passed), len(trial.failed), trial.calls, [f"{reader}: {reason}" for _, reader, reason in trial.excepted]


if __name__ == "__main__":
    main()
