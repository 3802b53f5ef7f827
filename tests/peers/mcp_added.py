"""Adds real MCP servers through npx and uvx, checks them and calls their tools in every era that
each speaks, and compares the answers by value. Then looks for processes that are left, also after
the program was killed in the middle of a call.

usage: mcp_added.py BECKET FOLDER
FOLDER is what mcp_setup makes: a home, and a virtual environment `venv` with uv. Packages come
through npx and uvx, as they do for anyone. Only the standard library.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BECKET, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
MARK = f"added-{os.getpid()}-end"
PLACES = {"PATH": f"{FOLDER}/venv/bin:{os.environ['PATH']}", "HOME": str(FOLDER / "home"), "LANG": "C.UTF-8", "PEERS_MARK": MARK}
# The newest versions when this was written. One server is added without its version, which is asked for.
NPM, PYPI = "2026.8.31", "2026.10.19"
wrong = 0


def npm(server, *words):
    return ["npx", "-y", f"@modelcontextprotocol/server-{server}@{NPM}", *words]


def pypi(server, *words):
    return ["uvx", f"mcp-server-{server}=={PYPI}", *words]


def start(*words, cwd=None):
    return subprocess.Popen(
        [str(BECKET), *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=PLACES, cwd=cwd
    )


def becket(*words, cwd=None):
    process = start(*words, cwd=cwd)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def judge(what, right, said=""):
    global wrong
    wrong += not right
    print(f"{what}: {'right' if right else 'WRONG ' + str(said)}", flush=True)


def left(wait=2.0):
    """Processes that still have the mark in their environment, once they had a moment to end."""
    ends = time.monotonic() + wait
    while True:
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if MARK.encode() in (process / "environ").read_bytes():
                    found.append((process / "cmdline").read_text().replace("\0", " "))
            except OSError:
                pass
        if not found or time.monotonic() > ends:
            return found
        time.sleep(0.02)


def servers(work):
    files, repository = work / "files", work / "repository"
    files.mkdir()
    (files / "a.txt").write_text("tides")
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(repository)], check=True)
    (repository / "b.txt").write_text("one\n")
    git = ["git", "-C", str(repository), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "First"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    at = {"repo_path": str(repository)}
    santos = {"name": "Santos", "entityType": "port", "observations": ["tides"]}
    utc = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
    return {
        # name: (command, eras, calls: tool -> arguments, judge of the answer)
        "everything": (
            npm("everything"),
            ["auto", "legacy"],
            {
                "echo": ({"message": "hi"}, lambda answer: answer == {"text": "Echo: hi"}),
                "get-sum": ({"a": 2, "b": 40}, lambda answer: answer == {"text": "The sum of 2 and 40 is 42."}),
                "get-structured-content": (
                    {"location": "New York"},
                    lambda answer: answer == {"temperature": 33, "conditions": "Cloudy", "humidity": 82},
                ),
            },
        ),
        "filesystem": (
            npm("filesystem", str(files)),
            ["auto", "legacy"],
            {
                "read_text_file": ({"path": str(files / "a.txt")}, lambda answer: answer == {"content": "tides"}),
                "list_directory": ({"path": str(files)}, lambda answer: answer == {"content": "[FILE] a.txt"}),
                "search_files": ({"path": str(files), "pattern": "*.txt"}, lambda answer: answer == {"content": str(files / "a.txt")}),
            },
        ),
        "memory": (
            ["env", f"MEMORY_FILE_PATH={work}/memory.jsonl", *npm("memory")],
            ["auto", "legacy"],
            {
                "create_entities": ({"entities": [santos]}, lambda answer: answer["entities"] in ([santos], [])),
                "search_nodes": ({"query": "port"}, lambda answer: answer == {"entities": [santos], "relations": []}),
                "read_graph": ({}, lambda answer: answer == {"entities": [santos], "relations": []}),
            },
        ),
        "time": (
            pypi("time", "--local-timezone", "UTC"),
            ["auto", "legacy", "modern"],
            {
                "get_current_time": (
                    {"timezone": "Asia/Tokyo"},
                    lambda answer: (answer["timezone"], answer["is_dst"], answer["datetime"][-6:]) == ("Asia/Tokyo", False, "+09:00"),
                ),
                "convert_time": (utc, lambda answer: (answer["time_difference"], answer["target"]["datetime"][10:]) == ("+9.0h", "T21:00:00+09:00")),
            },
        ),
        "git": (
            pypi("git", "--repository", str(repository)),
            ["auto", "legacy", "modern"],
            {
                "git_status": (at, lambda answer: answer == {"text": "Repository status:\nOn branch trunk\nnothing to commit, working tree clean"}),
                "git_log": (at, lambda answer: head in answer["text"] and "First" in answer["text"]),
                "git_branch": ({**at, "branch_type": "local"}, lambda answer: answer == {"text": "* trunk"}),
            },
        ),
    }


def add(work, name, command, era, tools):
    words = ["add", name, f"./{name}-{era}", "--yes", "--json", "--env", "PEERS_MARK", "--era", era, "--tools", ",".join(tools), "--", *command]
    code, out, err = becket(*words, cwd=work)
    judge(f"{name} {era}: add", code == 0, err)
    return work / f"{name}-{era}", json.loads(out)["era"] if code == 0 else None


def call(folder, era, tool, arguments):
    code, out, err = becket("call", folder, tool.replace("-", "_"), "--yes", "--era", era, "--args", json.dumps(arguments))
    return code, json.loads(out) if code == 0 else None, err


def one(work, name, command, eras, calls):
    for era in eras:
        folder, found = add(work, name, command, era, calls)
        judge(f"{name} {era}: speaks {found}", found == ("modern" if era == "modern" else "legacy"))
        connector = folder / "connector.json"
        if connector.exists():
            manifest = json.loads(connector.read_text())
            declared = [(one["tool"], len(one["reviewed"].split())) for one in manifest["capabilities"]]
            judge(f"{name} {era}: declares", sorted(declared) == sorted((tool, 5) for tool in calls), declared)
            # A case, so that `check` runs the program; it may call what only reads.
            tool, (arguments, _) = next(iter(calls.items()))
            manifest["contract"] = [{"capability": f"{name}.{tool.replace('-', '_')}", "args": arguments, "keys": []}]
            for capability in manifest["capabilities"]:
                capability["risk"] = "read"
            connector.write_text(json.dumps(manifest, indent=2))
        code, out, err = becket("check", folder, "--era", era)
        judge(f"{name} {era}: check", code == 0 and out.endswith("contract ok\n"), out + err)
        for tool, (arguments, right) in calls.items():
            code, answer, err = call(folder, era, tool, arguments)
            try:
                judge(f"{name} {era}: {tool}", code == 0 and right(answer), f"{answer} {err}")
            except (KeyError, TypeError, IndexError) as error:
                judge(f"{name} {era}: {tool}", False, f"{answer} {error!r}")
        code, _, err = call(folder, era, "git_wipe" if name == "git" else "no_such_tool", {})
        judge(f"{name} {era}: an unknown tool", code == 2 and f"{name} has no capability" in err, err)
    if eras[-1] != "modern":
        code, _, err = call(work / f"{name}-auto", "modern", next(iter(calls)), next(iter(calls.values()))[0])
        judge(f"{name} modern: refused", code == 5 and "answered `server/discover` with an error" in err, err)
    judge(f"{name}: no process left", not left(), left(0))


def killed(work):
    """The program is ended in the middle of a call: what npx started ends too."""
    folder, _ = add(work, "long", npm("everything"), "auto", ["trigger-long-running-operation"])
    for ending in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        process = start("call", folder, "trigger_long_running_operation", "duration:=20", "steps:=2", "--yes")
        ends = time.monotonic() + 20
        # becket, its watchdog, npx, a shell perhaps, and node.
        while len(left(0)) < 4 and time.monotonic() < ends:
            time.sleep(0.05)
        time.sleep(1)
        running = len(left(0))
        process.send_signal(ending)
        process.communicate(timeout=20)
        gone = left(2)
        judge(f"{ending.name} in a call: {running} processes, {len(gone)} left, exit {process.returncode}", running >= 4 and not gone, gone)


def unversioned(work):
    for command, source in (
        (["npx", "-y", "@modelcontextprotocol/server-memory"], "npm:@modelcontextprotocol/server-memory@"),
        (["uvx", "mcp-server-time>=2026"], "pypi:mcp-server-time=="),
    ):
        words = ["add", "newest", "--yes", "--force", "--env", "PEERS_MARK", "--tools", "all", "--", *command]
        code, _, err = becket(*words, cwd=work)
        manifest = json.loads((work / "newest/connector.json").read_text()) if code == 0 else {}
        pinned = manifest.get("source", "")
        version = pinned.removeprefix(source)
        right = pinned.startswith(source) and version[:1].isdigit() and any(arg.endswith(version) for arg in manifest["args"])
        judge(f"{command[-1]}: pinned to {version}", right, err)


def main():
    work = Path(tempfile.mkdtemp())
    for name, about in servers(work).items():
        one(work, name, *about)
    unversioned(work)
    killed(work)
    sys.exit(wrong > 0)


main()
