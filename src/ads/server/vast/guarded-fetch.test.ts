import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { isPublicAddress } from "#server/lib/outbound/public-address.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Every name resolves to the test's own server, the only address treated as public. */
const open = createGuardedFetch({
  isAllowed: (address) => address === "127.0.0.1",
  resolve: (_name, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
});
const soon = () => ({ signal: AbortSignal.timeout(20_000) });

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "fc00::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "localhost",
  "",
])("rejects %s as outside the public internet", (address) =>
  expect(isPublicAddress(address)).toBe(false),
);

test.each(["1.1.1.1", "172.32.0.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::200e"])(
  "accepts %s as public",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  "http://127.0.0.1:PORT/",
  "http://localhost:PORT/",
  "http://[::1]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f.1:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://127.1:PORT/",
  "http://user:secret@1.1.1.1:PORT/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:PORT/",
])("refuses %s without connecting", async (address) => {
  let calls = 0;
  const port = await serve((_request, response) => {
    calls += 1;
    response.end("secret");
  });
  const result = await createGuardedFetch()(address.replace("PORT", String(port)), soon());
  expect(result).toMatchObject({ ok: false, problem: "refused" });
  expect(calls).toBe(0);
});

test("resolves a name once, requires public addresses, and calls the checked one", async () => {
  const port = await serve((request, response) => response.end(`host ${request.headers.host}`));
  let lookups = 0;
  const rebinding = createGuardedFetch({
    isAllowed: (address) => address === "127.0.0.1",
    // A second lookup would return another address.
    resolve: (_name, callback) => {
      lookups += 1;
      callback(null, [{ address: lookups === 1 ? "127.0.0.1" : "10.0.0.1", family: 4 }]);
    },
  });
  expect(await rebinding(`http://ads.example:${port}/`, soon())).toMatchObject({
    ok: true,
    text: `host ads.example:${port}`,
  });
  expect(lookups).toBe(1);

  const mixed = createGuardedFetch({
    resolve: (_name, callback) =>
      callback(null, [
        { address: "1.1.1.1", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ]),
  });
  expect(await mixed(`http://ads.example:${port}/`, soon())).toMatchObject({ problem: "refused" });
});

test("follows five redirects, checks each, and refuses other protocols", async () => {
  const port = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (Number.isNaN(left)) response.writeHead(302, { location: "http://169.254.169.254/meta" });
    else if (left === 99) response.writeHead(302, { location: "file:///etc/passwd" });
    else if (left > 0) response.writeHead(307, { location: `/${left - 1}` });
    response.end("end");
  });
  const at = (path: string) => open(`http://ads.example:${port}${path}`, soon());
  expect(await at("/5")).toMatchObject({ ok: true, redirects: 5, text: "end" });
  expect(await at("/6")).toMatchObject({ ok: false, problem: "refused" });
  expect(await at("/inside")).toMatchObject({ ok: false, problem: "refused" });
  expect(await at("/99")).toMatchObject({ ok: false, problem: "refused" });
});

test("ends a body at one megabyte, whether declared, streamed or compressed", async () => {
  const big = Buffer.alloc(1024 * 1024 + 1, "x");
  const port = await serve((request, response) => {
    if (request.url === "/declared") response.writeHead(200, { "content-length": big.length });
    if (request.url === "/packed") response.writeHead(200, { "content-encoding": "gzip" });
    const isPacked = request.url === "/packed";
    response.end(isPacked ? gzipSync(big) : request.url === "/fits" ? big.subarray(1) : big);
  });
  for (const path of ["/declared", "/streamed", "/packed"]) {
    expect(await open(`http://a.example:${port}${path}`, soon())).toMatchObject({
      problem: "too_large",
    });
  }
  const fits = await open(`http://a.example:${port}/fits`, soon());
  expect(fits.ok && fits.text.length).toBe(1024 * 1024);
});

test("reports a compression bomb as too large instead of hanging", async () => {
  const part = gzipSync(Buffer.alloc(20 * 1024 * 1024));
  // More than a paused response buffers.
  const bomb = Buffer.concat(Array.from({ length: 10 }, () => part));
  const port = await serve((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
  });
  expect(await open(`http://a.example:${port}/`, soon())).toMatchObject({ problem: "too_large" });
});

test("reports a compressed body that stops in the middle", async () => {
  const packed = gzipSync(randomBytes(200_000));
  const port = await serve((request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.write(packed.subarray(0, 100_000), () => {
      if (request.url === "/gone") request.socket.destroy();
    });
  });
  const at = (path: string, ms: number) =>
    open(`http://a.example:${port}${path}`, { signal: AbortSignal.timeout(ms) });
  expect(await at("/gone", 20_000)).toMatchObject({ problem: "unreachable" });
  expect(await at("/stalled", 300)).toMatchObject({ problem: "timeout" });
});

test("reports a silent, slow or unreachable server instead of hanging", async () => {
  const port = await serve((request, response) => {
    if (request.url === "/drip") response.write("x");
    if (request.url === "/gone") request.socket.destroy();
    if (request.url === "/missing") response.writeHead(404).end();
    if (request.url === "/none") response.writeHead(204).end();
  });
  const at = (path: string, { signal } = soon()) =>
    open(`http://a.example:${port}${path}`, { signal });
  for (const path of ["/silent", "/drip"]) {
    const signal = AbortSignal.timeout(300);
    expect(await at(path, { signal })).toMatchObject({ problem: "timeout" });
  }
  expect(await at("/gone")).toMatchObject({ problem: "unreachable" });
  expect(await at("/missing")).toMatchObject({ problem: "status", status: 404 });
  expect(await at("/none")).toMatchObject({ ok: true, text: "" });
});

const accented = "<a>é</a>";
const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();
test.each([
  [
    "an XML declaration",
    "text/xml",
    Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${accented}`, "latin1"),
  ],
  ["a charset", "text/xml; charset=iso-8859-1", Buffer.from(accented, "latin1")],
  ["a mark of UTF-16, little endian", "text/xml", Buffer.from(`\ufeff${accented}`, "utf16le")],
  ["a mark of UTF-16, big endian", "text/xml; charset=utf-8", swapped(`\ufeff${accented}`)],
  ["a charset of UTF-16", "text/xml; charset=utf-16le", Buffer.from(accented, "utf16le")],
  ["a charset of UTF-16, big endian", "text/xml; charset=UTF-16BE", swapped(accented)],
  [
    "a declaration of UTF-16 in UTF-8",
    "text/xml; charset=utf-16",
    Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${accented}`),
  ],
  ["an unknown charset", "text/xml; charset=nonsense", Buffer.from(accented)],
])("decodes a document by %s", async (_, contentType, body) => {
  const port = await serve((_request, response) => {
    response.setHeader("content-type", contentType);
    response.end(body);
  });
  const result = await open(`http://a.example:${port}/`, soon());
  expect(result.ok && result.text).toContain(accented);
});
