"""A server of one tool with one answer, in the standard library, as a connector's own program is."""

import json
import sys

TOOLS = [
    {
        "name": "constant_get",
        "description": "Gives one thing.",
        "inputSchema": {"type": "object", "properties": {"id": {"type": "integer"}}},
    }
]
THING = {"id": 1007, "title": "a thing of the bench", "state": "open", "updated": 12345}


def result(method):
    if method == "initialize":
        about = {"name": "constant", "version": "1"}
        return {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": TOOLS}
    return {"content": [{"type": "text", "text": json.dumps(THING)}]}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result(message["method"])}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
