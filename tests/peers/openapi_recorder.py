"""A service on 127.0.0.1 that gives everything one answer and keeps each request as it came."""

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Seen:
    method: str
    target: str
    headers: list
    body: bytes

    def header(self, name):
        found = [value for known, value in self.headers if known.lower() == name.lower()]
        return found[0] if found else None


@dataclass
class Recorder:
    seen: list = field(default_factory=list)
    answer: bytes = b"{}"

    def __enter__(self):
        seen, recorder = self.seen, self

        class Answer(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 20

            def log_message(self, *_):
                pass

            def record(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length) if length else b""
                # http.server reads heads as latin-1; what was sent is UTF-8.
                headers = [(name, value.encode("latin-1").decode("utf-8")) for name, value in self.headers.items()]
                target = self.raw_requestline.decode("latin-1").split(" ")[1]
                seen.append(Seen(self.command, target, headers, body))
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(recorder.answer)))
                self.end_headers()
                self.wfile.write(recorder.answer)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = record

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def port(self):
        return self.server.server_address[1]

    def take(self):
        """What came since the last time."""
        taken = list(self.seen)
        del self.seen[: len(taken)]
        return taken
