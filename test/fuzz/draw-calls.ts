import fc, { type Arbitrary } from "fast-check";
import { z } from "zod";
import { anyBody, anyValue, kindOf, mostly, oddText, oddValue } from "./draw-values.ts";
import type { JsonSchema, KnownValues } from "./draw-values.ts";

/** Complete request, except for its session. */
export interface Call {
  operation: Operation;
  method: string;
  /** Raw text of the request line, one character per byte. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

const schema = z.custom<JsonSchema>((value) => typeof value === "object" && value !== null);
const content = z
  .object({ "application/json": z.object({ schema }).optional() })
  .optional()
  .transform((types) => types?.["application/json"]?.schema ?? null);
const documented = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema })).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content })).default({}),
});
const openApi = z.object({ paths: z.record(z.string(), z.record(z.string(), documented)) });

/** URLs for crawlers, readers, players and frames, which the document doesn't contain. */
const undocumented = [
  ..."/robots.txt /sitemap.xml /sitemap-{part}.xml /manifest.webmanifest /feed.rss".split(" "),
  ..."/categories/{id}/feed.rss /tags/{id}/feed.rss /actors/{id}/feed.rss /embed/{id}".split(" "),
  ..."/api/docs /api/openapi.json /.well-known/security.txt /{path} /media/{path} /search".split(
    " ",
  ),
  ..."/spots/frame/{id} /spots/preview /spots/script/{id}/{part} /video/{id} /feed/{id}".split(" "),
];

export type Operation = ReturnType<typeof readOperations>[number];

/** Returns all operations of the OpenAPI document and the undocumented URLs. */
export function readOperations(document: unknown) {
  const others = undocumented.map((path) => [path, { get: documented.parse({}) }] as const);
  const all = [...Object.entries(openApi.parse(document).paths), ...others];
  return all.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses }]) => ({
      ...{ method: method.toUpperCase(), path, body: requestBody?.content ?? null },
      query: parameters.filter((parameter) => parameter.in === "query"),
      /** Documented statuses. Empty for undocumented URLs. */
      statuses: Object.keys(responses),
      /** Schemas of the JSON of responses, by status. */
      responses: new Map(
        Object.entries(responses).flatMap(([status, { content: type }]) =>
          type === null ? [] : [[status, z.fromJSONSchema(type)] as const],
        ),
      ),
    })),
  );
}

/** Percent-encodes a text, even with unpaired surrogates. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).slice(0, 6000);
/** Encodes a text for a request line or a header, which can't contain control characters. */
const asRaw = (text: string): string =>
  Buffer.from(text.slice(0, 3000).toWellFormed())
    .toString("latin1")
    .replaceAll(/[\0-\u0020\u007f]/g, "");

const pathValues = new Map([
  ["language", ["en", "de", "ar", "xx"]],
  ["part", ["0", "1", "01", "-1", "999999", "1e3", "x"]],
]);

function drawPath({ path, query }: Operation, known: KnownValues): Arbitrary<string> {
  const odd = fc.oneof(oddText.map(asRaw), oddText.map(encode));
  const parts = path.split(/\{(\w+)\}/).map((part, at) => {
    const usual = at % 2 === 0 ? [part] : pathValues.get(part);
    if (usual !== undefined) return fc.constantFrom(...usual);
    const found = part === "path" ? known.draw("media") : known.draw(kindOf(path)).map(encode);
    return mostly(found, odd, 3);
  });
  const pairs = query.map(({ name, schema: type }) => {
    const text = anyValue(type, name, known).map((value) =>
      typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
    );
    const pair = mostly(text.map(encode), text.map(asRaw), 15).map((value) => `${name}=${value}`);
    return mostly(fc.constant(""), pair, 1);
  });
  const oddPairs = fc.constantFrom("=", "&&", "a", "%=%", "__proto__[x]=1", "limit=1&limit=2");
  const search = fc
    .tuple(...pairs, mostly(fc.constant(""), oddPairs, 15))
    .map((all) => all.filter((pair) => pair !== "").join("&"));
  const end = mostly(fc.constant("?"), fc.constantFrom("/?", "//", "/.", ";x", "%20", "??"), 60);
  return fc
    .tuple(...parts, end, search)
    .map((all) => all.join("").replaceAll("#", "").replace(/\?$/, "").slice(0, 12_000));
}

const headerNames = [
  ..."accept accept-encoding accept-language range if-none-match if-modified-since".split(" "),
  ..."if-range user-agent referer origin sec-fetch-site x-forwarded-for cookie host".split(" "),
  ..."x-forwarded-host content-encoding content-length content-type transfer-encoding".split(" "),
  ..."x-forwarded-proto expect connection upload-length upload-offset upload-metadata".split(" "),
];
const headerValues = [
  ...["*/*", "text/html", "br;q=0", "zstd, gzip", "pt-BR,pt;q=0.9", "bytes=0-0", "bytes=5-2"],
  ...["bytes=0-0,2-3", "*", 'W/"x", "y"', '"', "Thu, 01 Jan 1970 00:00:00 GMT", "Googlebot/2.1"],
  ...["https://evil.example", "null", "http://[", "cross-site", "fe80::1%eth0", ",", "session=%"],
  ...["session=__proto__", "ftp", "evil.example:99999", "gzip", "-1", "99999999999999", "a b=c,"],
  ...["100-continue", "upgrade", "partial", "application/json; charset=utf-16", "text/plain"],
  ...["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x".repeat(17_000)],
];
const headerValue = mostly(fc.constantFrom(...headerValues), oddText.map(asRaw), 4);
const oddHeaders = fc.dictionary(fc.constantFrom(...headerNames), headerValue, { maxKeys: 3 });

type Body = readonly [headers: Record<string, string>, bytes: Buffer] | null;
const typed = (type: string, bytes: Buffer): Body => [{ "content-type": type }, bytes];
const asBytes = (text: string) => Buffer.from(text, "latin1");
const asJson = (value: unknown): Body =>
  typed("application/json", Buffer.from(JSON.stringify(value) ?? ""));
const brokenJson = ["", "{", "[1,", '"', "nul", '{"a":1}}', "\xef\xbb\xbf{}", "[".repeat(5000)];
const oddBody: Arbitrary<Body> = fc.oneof(
  fc.constant(null),
  oddValue.map(asJson),
  fc.constantFrom(...brokenJson).map((text) => typed("application/json", asBytes(text))),
  fc.constantFrom(16_300, 17_000, 70_000).map((size) => asJson({ filler: "y".repeat(size) })),
);

/** First bytes of formats that the probe recognises, without usable content. */
const fileStarts = ["", "\0\0\0\x18ftypmp42", "\x1aE\xdf\xa3", "\x89PNG\r\n\x1a\n", "#EXTM3U\n"];
const files = fc
  .tuple(fc.constantFrom(...fileStarts).map(asBytes), fc.uint8Array({ maxLength: 300 }))
  .map((parts) => Buffer.concat(parts));
const pictures = files.map((bytes) => typed("image/png", bytes));
/** Heads of fields and the end of a form, between which bytes are values. */
const formPieces = [
  ...'title tags isPremium uploadId __proto__ \xe9 video thumbnail";filename="../x'
    .split(" ")
    .map((name) => `\r\n--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`),
  "\r\n--x--\r\n",
];
const forms = fc
  .array(fc.oneof(fc.constantFrom(...formPieces).map(asBytes), files), { maxLength: 20 })
  .map((pieces) => typed("multipart/form-data; boundary=x", Buffer.concat(pieces)));

const isPicture = (path: string) => /(pictures?|thumbnail|logo|favicon)$/.test(path);
const tus = {
  ...{ "tus-resumable": "1.0.0", "upload-length": "300", "upload-offset": "0" },
  "content-type": "application/offset+octet-stream",
};
function drawBody({ method, path, body }: Operation, known: KnownValues): Arbitrary<Body> {
  if (path.startsWith("/api/uploads")) return mostly(fc.tuple(fc.constant(tus), files), oddBody);
  if (isPicture(path)) return mostly(pictures, oddBody);
  if (method === "POST" && path === "/api/videos") return mostly(forms, oddBody);
  if (body !== null) return mostly(anyBody(body, known).map(asJson), oddBody);
  return mostly(fc.constant(null), oddBody, method === "GET" ? 30 : 1);
}

/** How often to draw an operation. Slow ones and ones that remove needed data are rare. */
function weightOf({ method, path }: Operation): number {
  // It would change the address that the test signs in with. `second-factors.test.ts` covers it.
  if (path === "/api/account/email") return 0;
  if (path === "/source.tar.gz") return 1;
  if (isPicture(path) || /(vast-test|documents|docs|openapi\.json)$/.test(path)) return 8;
  return method === "DELETE" || /^\/api\/auth\/|\/merge$/.test(path) ? 15 : 50;
}

const otherMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/** Draws calls of all operations. */
export const drawCall = (operations: readonly Operation[], known: KnownValues): Arbitrary<Call> =>
  fc.oneof(
    ...operations.map((operation) => ({
      weight: weightOf(operation),
      arbitrary: fc
        .record({
          method: mostly(fc.constant(operation.method), fc.constantFrom(...otherMethods), 40),
          path: drawPath(operation, known),
          headers: mostly(fc.constant({}), oddHeaders, 3),
          body: drawBody(operation, known),
        })
        .map(({ body, headers, ...call }) => ({
          ...{ ...call, operation, body: body?.[1] ?? null },
          headers: { ...body?.[0], ...headers },
        })),
    })),
  );
