# The relay in Python, with its standard library alone: MODEL_API_KEY=… SESSION_SECRET=… python3 relay.py
# Put it behind the proxy of your site, so that pages reach it at /models on their own origin. Its users are those of the
# cookie `session`, as signSession of tool-agent/relay makes it: user.expiry.signature. Replace user_of with your sessions.
import base64, hashlib, hmac, json, os, re, time, urllib.error, urllib.request
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ENDPOINT = os.environ.get("MODEL_ENDPOINT", "https://api.openai.com/v1").rstrip("/")
MODELS = {"gpt-5-mini"}
MOST_BYTES = 4_000_000
SECRET = os.environ["SESSION_SECRET"].encode()


def user_of(headers):
    cookie = SimpleCookie(headers.get("Cookie", "")).get("session")
    parts = re.fullmatch(r"([\w-]+)\.(\d+)\.([\w-]+)", cookie.value) if cookie else None
    if not parts or int(parts[2]) <= time.time():
        return None
    content = f"{parts[1]}.{parts[2]}".encode()
    signature = base64.urlsafe_b64encode(hmac.digest(SECRET, content, hashlib.sha256)).rstrip(b"=").decode()
    return parts[1] if hmac.compare_digest(signature, parts[3]) else None


class Relay(BaseHTTPRequestHandler):
    def refuse(self, status, message):
        body = json.dumps({"error": {"message": message}}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        if self.path != "/models/openai/chat/completions":
            return self.refuse(404, "There is nothing here")
        if self.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            return self.refuse(403, "Only pages of this site may use the relay")
        if not user_of(self.headers):
            return self.refuse(401, "Sign in first")
        body = self.rfile.read(max(0, min(int(self.headers.get("Content-Length") or 0), MOST_BYTES)))
        try:
            if json.loads(body)["model"] not in MODELS:
                return self.refuse(403, "This model is not allowed")
        except (ValueError, KeyError, TypeError):
            return self.refuse(400, "The body must be JSON with a model")
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('MODEL_API_KEY')}"}
        try:
            answer = urllib.request.urlopen(urllib.request.Request(f"{ENDPOINT}/chat/completions", body, headers))
        except urllib.error.HTTPError as error:  # its text may repeat the key
            return self.refuse(error.code, f"The model answered {error.code}")
        except OSError:
            return self.refuse(502, "The model cannot be reached")
        self.send_response(200)
        self.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
        self.end_headers()
        while part := answer.read1(65536):  # as soon as something is there
            self.wfile.write(part)
            self.wfile.flush()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8787"))), Relay).serve_forever()
