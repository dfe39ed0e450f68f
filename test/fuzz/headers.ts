import type { Random } from "../reference/random.ts";
import { longText, oddTexts } from "./odd-values.ts";

/** Valid and invalid values that clients send. */
const headerValues: Readonly<Record<string, readonly string[]>> = {
  accept: ["*/*", "text/html", "application/xml;q=0.9", ";;;", "application/json;q=NaN"],
  "accept-encoding": ["gzip", "br", "gzip, br;q=0", "identity;q=0", "*", "zstd, deflate"],
  "accept-language": ["de", "pt-BR,pt;q=0.9", "*", "xx-".repeat(200)],
  range: [
    "bytes=0-0",
    "bytes=-1",
    "bytes=5-2",
    "bytes=0-0,2-3",
    "bytes=",
    "items=0-1",
    "bytes=99999999999999999999-",
  ],
  "if-none-match": ["*", '"x"', 'W/"x", "y"', ",,,", '"'],
  "if-modified-since": ["Thu, 01 Jan 1970 00:00:00 GMT", "tomorrow", "-1"],
  "if-range": ['"x"', "Thu, 01 Jan 2099 00:00:00 GMT", "x"],
  "user-agent": ["", "Googlebot/2.1", "curl/8", "Mozilla/5.0 (iPhone) Mobile", "x".repeat(4000)],
  referer: ["https://example.test/", "not an address", "\xff"],
  origin: ["null", "https://evil.example", "http://[", "x"],
  "sec-fetch-site": ["same-origin", "none", "cross-site", "x"],
  "x-forwarded-for": [
    "unknown",
    "1.2.3.4, ::1",
    "::ffff:1.2.3.4",
    "fe80::1%eth0",
    "999.1.1.1",
    ",",
  ],
  "x-forwarded-proto": ["https", "ftp", "https,http"],
  "x-forwarded-host": ["evil.example", "a b", "[::1", "x:y"],
  "x-http-method-override": ["DELETE"],
  "content-encoding": ["gzip", "br", "x"],
  "content-length": ["x", "-1", "1e3"],
  "transfer-encoding": ["gzip", "chunked, gzip", "x"],
  expect: ["100-continue", "x"],
  connection: ["close", "upgrade", "x"],
  upgrade: ["websocket", "h2c"],
  host: ["", "x", "a b", "[::1", "evil.example:99999"],
  cookie: [
    "",
    "=",
    ";;;",
    "session",
    "session=%",
    "visitor=x.y",
    "session=__proto__",
    "a=b; a=b; session=",
  ],
  "tus-resumable": ["1.0.0", "0.2.2", "x"],
  "upload-length": ["0", "5", "-1", "x", "1e3", "99999999999999"],
  "upload-offset": ["0", "5", "-1", "x"],
  "upload-metadata": ["filename dGVzdA==", "filename", "a b c", ",,,", "__proto__ eA==", "é ÿ"],
  "upload-defer-length": ["1", "x"],
  "upload-concat": ["partial", "final;/api/uploads/x /api/uploads/y"],
};

/** Used rarely, because these make Node's client or the server end the connection. */
const rare = new Set([
  "content-length",
  "transfer-encoding",
  "expect",
  "connection",
  "upgrade",
  "host",
]);

/** Returns a different address for each call, so that limits per address don't apply. */
const address = (random: Random): string =>
  random.below(4) === 0
    ? `2001:db8:${random.below(65_536).toString(16)}:${random.below(65_536).toString(16)}::1`
    : `198.${18 + random.below(2)}.${random.below(256)}.${random.below(256)}`;

export function makeHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = { "x-forwarded-for": address(random) };
  if (random.below(3) > 0) return headers;
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const name = random.pick(Object.keys(headerValues));
    if (rare.has(name) && random.below(10) > 0) continue;
    headers[name] = random.pick(headerValues[name] ?? [""]);
  }
  const size = random.below(100);
  if (size === 0) headers["x-long"] = longText(random);
  if (size === 1) headers["x-large"] = "x".repeat(17_000);
  if (size === 2) headers["x-odd"] = random.pick(oddTexts);
  return Object.fromEntries(
    // Headers that no HTTP client can send are covered by the raw requests.
    Object.entries(headers).map(([name, value]) => [
      name,
      Buffer.from(value, "utf8")
        .toString("latin1")
        .replaceAll(/[\0-\u0008\u000a-\u001f\u007f]/g, ""),
    ]),
  );
}
