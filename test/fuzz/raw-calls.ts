import type { Random } from "../reference/random.ts";
import { spellingsOf } from "../target-spellings.ts";

/** Bytes of requests that no HTTP client sends. Each one ends the connection. */
const heads: readonly string[] = [
  "GET / HTTP/1.1\r\n\r\n",
  "GET /api/videos HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
  "GET /api/videos HTTP/1.0\r\n\r\n",
  "GET /api/videos HTTP/2.0\r\nhost: x\r\n\r\n",
  "GET /api/vid eos HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET http://[::1/ HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET http://evil.example/api/videos HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET * HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET ?x HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET api/videos HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET //evil.example/%2e%2e HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /..// HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET // HTTP/1.1\r\nhost: x\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n",
  "CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n",
  "BREW / HTTP/1.1\r\nhost: x\r\n\r\n",
  "get / HTTP/1.1\r\nhost: x\r\n\r\n",
  "\x16\x03\x01\x02\x00\x01\x00",
  "\r\n\r\n\r\n",
  "GET / HTTP/1.1\nhost: x\n\n",
  "GET / HTTP/1.1\r\nhost : x\r\n\r\n",
  "GET / HTTP/1.1\r\nhost: x\r\n folded: y\r\n\r\n",
  "GET / HTTP/1.1\r\nhost: x\r\nx: \0\r\n\r\n",
  "GET / HTTP/1.1\r\nhost: x\r\nexpect: the-unexpected\r\n\r\n",
  "GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\r\n",
  "POST /api/visits HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
  "POST /api/visits HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}",
  "POST /api/visits HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST /api/visits HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
  "POST /api/visits HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
  "POST /api/visits HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx-trailer: y\r\n\r\n",
  "POST /api/visits HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
];

const addresses = ["/", "/home", "/api/videos?limit=2", "/api/admin/people", "/media/v/x/a.mp4"];

/** Returns a request with an unusual spelling of its target. */
function makeTarget(random: Random): string {
  const { target } = random.pick(spellingsOf(random.pick(addresses), "x"));
  return `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
}

/** Returns a malformed request, or one with a few changed bytes. */
export function makeRawRequest(random: Random): string {
  const text = random.below(2) === 0 ? makeTarget(random) : random.pick(heads);
  if (random.below(3) > 0) return text;
  const at = random.below(text.length);
  return (
    text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + random.below(3))
  );
}

/** @returns what is wrong with the received bytes, or null. */
export function judgeRawResponse(text: string): string | null {
  const final = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
  if (final === "") return null;
  const [head = "", body = ""] = final.split("\r\n\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!(status >= 100)) return "no HTTP response";
  if (status < 400) return null;
  if (status >= 500) return `status ${status}`;
  if (/^content-type: text\/html/im.test(head)) return null;
  // The target is outside the API and was refused.
  if (status === 400 && /^content-type: text\/plain/im.test(head)) return null;
  const id = /^x-request-id: (.+)$/im.exec(head)?.[1];
  const hasErrorForm = /^\{"message":".+","code":"\w+","requestId":"/.test(body);
  return hasErrorForm && id !== undefined && body.includes(`"requestId":"${id}"`)
    ? null
    : "an error without the form of errors";
}
