"""Calls tools of real MCP servers with the program, and compares the answers.

usage: mcp_servers.py BECKET FOLDER
FOLDER has node_modules with @modelcontextprotocol/server-{everything,filesystem,memory} and a
virtual environment `venv` with mcp-server-time and mcp-server-git. Only the standard library.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BECKET, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
NODE = FOLDER / "node_modules/@modelcontextprotocol"
MARK = f"peers-{os.getpid()}-end"


def node(server):
    return ["node", str(NODE / server / "dist/index.js")]


def venv(server):
    return [str(FOLDER / "venv/bin" / server)]


def connector(work, name, command, tools):
    """Writes a connector for some tools of a server, as an import would."""
    manifest = {
        "name": name,
        "description": "A server of others.",
        "imported": True,
        "command": command[0],
        "args": command[1:],
        "env": ["PEERS_MARK"],
        "capabilities": [
            {"name": f"{name}.{tool.replace('-', '_')}", "tool": tool, "risk": "read", "signature": f"{name}.{tool}({{}})", "returns": "text"}
            for tool in tools
        ],
        "contract": [],
    }
    tool, arguments = next(iter(tools.items()))
    manifest["contract"].append({"capability": f"{name}.{tool.replace('-', '_')}", "args": arguments[0], "keys": []})
    folder = work / name
    folder.mkdir()
    (folder / "connector.json").write_text(json.dumps(manifest, indent=2))
    return folder


def becket(*words):
    return subprocess.run(
        [str(BECKET), *map(str, words)], capture_output=True, text=True, timeout=120, env={**os.environ, "PEERS_MARK": MARK}
    )


def left():
    """Processes that still have the mark in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if MARK.encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " "))
        except OSError:
            pass
    return found


def main():
    work = Path(tempfile.mkdtemp())
    files = work / "files"
    files.mkdir()
    (files / "a.txt").write_text("tides")
    repository = work / "repository"
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(repository)], check=True)
    (repository / "b.txt").write_text("one\n")
    git = ["git", "-C", str(repository), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "First"], check=True)
    text = str
    servers = {
        "everything": (
            node("server-everything"),
            {
                "echo": ({"message": "hi"}, lambda answer: answer == {"text": "Echo: hi"}),
                "get-sum": ({"a": 2, "b": 40}, lambda answer: "42" in answer["text"]),
                "get-structured-content": ({"location": "New York"}, lambda answer: "temperature" in answer),
            },
        ),
        "filesystem": (
            [*node("server-filesystem"), str(files)],
            {
                "read_text_file": ({"path": str(files / "a.txt")}, lambda answer: answer == {"content": "tides"}),
                "list_directory": ({"path": str(files)}, lambda answer: "a.txt" in text(answer)),
                "get_file_info": ({"path": str(files / "a.txt")}, lambda answer: "size: 5" in text(answer)),
            },
        ),
        "memory": (
            ["env", f"MEMORY_FILE_PATH={work}/memory.jsonl", *node("server-memory")],
            {
                "read_graph": ({}, lambda answer: answer == {"entities": [], "relations": []}),
                "create_entities": (
                    {"entities": [{"name": "Santos", "entityType": "port", "observations": ["tides"]}]},
                    lambda answer: answer["entities"][0]["name"] == "Santos",
                ),
                "search_nodes": ({"query": "port"}, lambda answer: answer["entities"][0]["observations"] == ["tides"]),
            },
        ),
        "time": (
            [*venv("mcp-server-time"), "--local-timezone", "UTC"],
            {
                "get_current_time": ({"timezone": "America/Sao_Paulo"}, lambda answer: answer["timezone"] == "America/Sao_Paulo"),
                "convert_time": (
                    {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"},
                    lambda answer: answer["time_difference"] == "+9.0h",
                ),
            },
        ),
        "git": (
            [*venv("mcp-server-git"), "--repository", str(repository)],
            {
                "git_status": ({"repo_path": str(repository)}, lambda answer: "trunk" in text(answer)),
                "git_log": ({"repo_path": str(repository)}, lambda answer: "First" in text(answer)),
                "git_branch": ({"repo_path": str(repository), "branch_type": "local"}, lambda answer: "trunk" in text(answer)),
            },
        ),
    }
    wrong = 0
    for name, (command, tools) in servers.items():
        folder = connector(work, name, command, tools)
        checked = becket("check", folder)
        right = checked.returncode == 0
        print(f"{name}: check {'ok' if right else checked.stdout + checked.stderr}")
        wrong += not right
        for tool, (arguments, judge) in tools.items():
            began = time.monotonic()
            called = becket("call", folder, tool.replace("-", "_"), "--yes", "--args", json.dumps(arguments))
            took = time.monotonic() - began
            try:
                right = judge(json.loads(called.stdout))
            except (ValueError, KeyError, TypeError, IndexError):
                right = False
            print(f"{name}.{tool}: {'right' if right else 'WRONG ' + called.stdout + called.stderr} ({took:.1f} s)")
            wrong += not right
    time.sleep(1)
    processes = left()
    print(f"processes left: {len(processes)}")
    wrong += len(processes)
    print("\n".join(processes), end="")
    sys.exit(wrong > 0)


main()
