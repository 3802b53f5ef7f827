"""A small MCP server for tests: it plays the JSON of its argument and keeps every line that it
reads in the file `heard` of its folder.

Fields: tools, pages (lists of tools), cursor, results (one for each tools/call, the last again),
silent (methods without an answer), errors (method to error), before (text before the first
message), stderr (text), versions (for server/discover), list and initialized (what tools/list and initialize answer), times (for stderr), exit (at once), run (a command to leave running), count and then (a file that counts
the starts, and other fields from the second start on), quits (methods at which it ends), fill
(bytes of a line before the first message)."""

import json
import os
import subprocess
import sys

PLAY = json.loads(sys.argv[1])
TOOLS = [{"name": "shelf_find", "description": "Finds.", "inputSchema": {"type": "object"}}]
calls = 0
if "count" in PLAY:
    with open(PLAY["count"], "a+") as count:
        count.seek(0)
        PLAY.update(PLAY["then"] if count.read() else {})
        count.write("x")


def listed(params):
    if "list" in PLAY:
        return PLAY["list"]
    pages = PLAY.get("pages")
    if pages is None:
        return {"tools": PLAY.get("tools", TOOLS)}
    cursors = [None] + [PLAY.get("cursor", "c%d") % n if "%d" in PLAY.get("cursor", "c%d") else PLAY["cursor"] for n in range(1, len(pages))]
    at = cursors.index(params.get("cursor"))
    page = {"tools": pages[at]}
    if at + 1 < len(pages):
        page["nextCursor"] = cursors[at + 1]
    return page


def result(method, params):
    global calls
    if method == "initialize" and "initialized" in PLAY:
        return PLAY["initialized"]
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    if method == "server/discover":
        return {"resultType": "complete", "supportedVersions": PLAY["versions"], "capabilities": {"tools": {}}}
    if method == "tools/list":
        return listed(params)
    results = PLAY.get("results", [{"content": [{"type": "text", "text": '{"title": "Tides"}'}]}])
    calls += 1
    return results[min(calls, len(results)) - 1]


def answer(message):
    method = message["method"]
    if method in PLAY.get("quits", []):
        sys.exit(1)
    if method in PLAY.get("silent", []):
        return None
    known = ["initialize", "tools/list", "tools/call"] + (["server/discover"] if "versions" in PLAY else [])
    error = PLAY.get("errors", {}).get(method) or (None if method in known else {"code": -32601, "message": "no such method"})
    if error:
        return {"jsonrpc": "2.0", "id": message["id"], "error": error}
    return {"jsonrpc": "2.0", "id": message["id"], "result": result(method, message.get("params", {}))}


if "run" in PLAY:
    subprocess.Popen(PLAY["run"])
os.write(2, PLAY.get("stderr", "").encode() * PLAY.get("times", 1))
sys.stdout.write(PLAY.get("before", "") + ("x" * PLAY["fill"] + "\n" if "fill" in PLAY else ""))
sys.stdout.flush()
if PLAY.get("exit") is not None:
    sys.exit(PLAY["exit"])
with open("heard", "a", encoding="utf-8") as heard:
    for line in sys.stdin:
        heard.write(line)
        heard.flush()
        message = json.loads(line)
        reply = answer(message) if "id" in message and "method" in message else None
        if reply is not None:
            print(json.dumps(reply), flush=True)
