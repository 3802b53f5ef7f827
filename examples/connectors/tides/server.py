"""Tide tables over MCP: one JSON-RPC message a line, in on standard input, out on standard output.

Started as `python3 server.py`; `python3 server.py 2026-01-31` answers for that day in place of today.
Only the Python standard library. The tides are computed from five rounded constituents for each
port, without corrections: good for an example, not for a boat.
"""

import json
import math
import os
import sys
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

# The newest version first: it is offered to a client that asks for another.
VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
MANIFEST = json.loads(Path(__file__).with_name("connector.json").read_text(encoding="utf-8"))

# Degrees an hour, and the multiples of the mean longitudes of the moon, the sun and the moon's
# perigee, with the degrees to add, that give a constituent's phase at midnight UTC.
CONSTITUENTS = {
    "M2": (28.9841042, -2, 2, 0, 0),
    "S2": (30.0, 0, 0, 0, 0),
    "N2": (28.4397295, -3, 2, 1, 0),
    "K1": (15.0410686, 0, 1, 0, 90),
    "O1": (13.9430356, -2, 1, 0, 270),
}

# Hours from UTC without summer time, then metres and Greenwich phase lag for each constituent.
PORTS = {
    "Brest": (1, {"M2": (2.05, 108), "S2": (0.75, 148), "N2": (0.42, 90), "K1": (0.06, 75), "O1": (0.07, 324)}),
    "Lisbon": (0, {"M2": (0.98, 62), "S2": (0.35, 88), "N2": (0.21, 44), "K1": (0.07, 52), "O1": (0.06, 312)}),
    "San Francisco": (-8, {"M2": (0.58, 210), "S2": (0.13, 217), "N2": (0.12, 185), "K1": (0.37, 227), "O1": (0.23, 210)}),
    "Santos": (-3, {"M2": (0.36, 91), "S2": (0.23, 92), "N2": (0.05, 140), "K1": (0.06, 148), "O1": (0.11, 87)}),
    "Sydney": (10, {"M2": (0.50, 239), "S2": (0.13, 262), "N2": (0.11, 225), "K1": (0.15, 120), "O1": (0.10, 87)}),
}

STEP = timedelta(minutes=6)


def phases(midnight):
    """The phase of each constituent at a midnight UTC, in degrees."""
    centuries = (midnight - datetime(2000, 1, 1, 12, tzinfo=timezone.utc)) / timedelta(days=36525)
    moon = 218.3165 + 481267.8813 * centuries
    sun = 280.4661 + 36000.7698 * centuries
    perigee = 83.3532 + 4069.0137 * centuries
    return {name: m * moon + s * sun + p * perigee + plus for name, (_, m, s, p, plus) in CONSTITUENTS.items()}


def tide(port, day):
    """The height above the lowest tide, and its slope, as functions of the time."""
    _, constants = PORTS[port]
    midnight = datetime(day.year, day.month, day.day, tzinfo=timezone.utc)
    start = phases(midnight)
    mean = sum(metres for metres, _ in constants.values())

    def angle(name, time):
        hours = (time - midnight) / timedelta(hours=1)
        return math.radians(CONSTITUENTS[name][0] * hours + start[name] - constants[name][1])

    def height(time):
        return mean + sum(metres * math.cos(angle(name, time)) for name, (metres, _) in constants.items())

    def slope(time):
        return sum(-metres * CONSTITUENTS[name][0] * math.sin(angle(name, time)) for name, (metres, _) in constants.items())

    return height, slope


def turning(slope, before, after):
    """The time between two others at which the slope changes its sign."""
    rising = slope(before) > 0
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) / 2
        before, after = (middle, after) if (slope(middle) > 0) == rising else (before, middle)
    return before


def table(port, day):
    """The high and low waters of one day in the port's own time."""
    zone = timezone(timedelta(hours=PORTS[port][0]))
    time = datetime(day.year, day.month, day.day, tzinfo=zone)
    end = time + timedelta(days=1)
    height, slope = tide(port, day)
    rows = []
    while time < end:
        if (slope(time) > 0) != (slope(time + STEP) > 0):
            turn = turning(slope, time, time + STEP)
            kind = "high" if slope(time) > 0 else "low"
            rows.append({"port": port, "time": turn.isoformat(timespec="minutes"), "height_m": round(height(turn), 2), "kind": kind})
        time += STEP
    return rows


def today(port, day):
    """What the tool answers: text, and whether it is an error."""
    found = next((name for name in PORTS if isinstance(port, str) and name.lower() == port.strip().lower()), None)
    if found is None:
        return f"no such port; the ports are {', '.join(PORTS)}", True
    zone = timezone(timedelta(hours=PORTS[found][0]))
    return json.dumps(table(found, day or datetime.now(zone).date())), False


def tools():
    """The tools that connector.json declares: no other may be offered."""
    return [
        {
            "name": capability["name"].replace(".", "_", 1),
            "description": f"{capability['signature']} -> {capability['returns']}",
            "inputSchema": capability["schema"],
            "annotations": {"readOnlyHint": capability["risk"] == "read"},
        }
        for capability in MANIFEST["capabilities"]
    ]


class Refused(Exception):
    """A request that is answered with an error: its code and its message."""


def initialize(params):
    asked = params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": MANIFEST["name"], "version": "1.0.0"},
    }


def call(params, day):
    if params.get("name") != "tides_today":
        raise Refused(-32602, f"no tool {params.get('name')!r}")
    arguments = params.get("arguments")
    text, failed = today(arguments.get("port") if isinstance(arguments, dict) else None, day)
    # These versions allow only an object as structured content. The answer is a list, so it is the
    # JSON of the text, which the host reads as such.
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def result(method, params, day):
    if method == "initialize":
        return initialize(params)
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": tools()}
    if method == "tools/call":
        return call(params, day)
    raise Refused(-32601, f"no method {method!r}")


def answer(line, day):
    """The answer to one line; nothing for a notification."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return failure(None, -32700, "not JSON")
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return failure(None, -32600, "not a request")
    if "id" not in message:
        return None
    params = message.get("params")
    try:
        value = result(message["method"], params if isinstance(params, dict) else {}, day)
    except Refused as refused:
        return failure(message["id"], *refused.args)
    return {"jsonrpc": "2.0", "id": message["id"], "result": value}


def failure(request, code, message):
    return {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": message}}


def main():
    day = date.fromisoformat(sys.argv[1]) if len(sys.argv) > 1 else None
    # A service that wants a key finds it in the environment and nowhere else. What is written for
    # people goes to standard error; standard output is for messages alone.
    given = "given, but not needed" if os.environ.get("TIDES_KEY") else "not given, and not needed"
    print(f"tides: TIDES_KEY is {given}: the tables are computed", file=sys.stderr)
    for line in sys.stdin.buffer:
        if line.strip():
            reply = answer(line, day)
            if reply is not None:
                print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
