"""A small MCP server of others: three tools, one of which says nothing about itself."""

import json
import sys

CITY = {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}
TOOLS = [
    {"name": "forecast", "description": "The weather of the next days in a city.", "inputSchema": CITY, "annotations": {"readOnlyHint": True}},
    {"name": "subscribe", "description": "Sends a warning by mail.", "inputSchema": CITY, "annotations": {"destructiveHint": False}},
    {"name": "alerts", "description": "Warnings that are in force.", "inputSchema": {"type": "object"}},
]
if len(sys.argv) > 1:
    TOOLS[0]["description"] += " " + sys.argv[1]


def result(method, params):
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "weather", "version": "1"}}
    if method == "tools/list":
        return {"tools": TOOLS}
    days = [{"city": params["arguments"].get("city"), "high_c": 21}]
    return {"content": [{"type": "text", "text": json.dumps(days)}]}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and message["method"] in ("initialize", "tools/list", "tools/call"):
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result(message["method"], message.get("params", {}))}), flush=True)
    elif "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "no such method"}}), flush=True)
