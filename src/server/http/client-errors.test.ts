import { createTestCore } from "#test/http-core.ts";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { openConnection, sendRaw } from "#test/raw-request.ts";
import { errorStatus } from "#contract/errors.ts";
import { createLogger } from "#server/lib/logger.ts";
import { limitConnections } from "./limits/connection-limit.ts";

let admin: string;
const app = useTestApp();
beforeAll(async () => {
  admin = await app.signIn();
});

const parse = (response: string) => {
  const [head = "", body = ""] = response.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body: JSON.parse(body) };
};
const contract = (code: string) => ({
  code,
  message: expect.stringMatching(/\w.*\.$/),
  requestId: expect.stringMatching(/^[\w-]{12}$/),
});

describe("what the HTTP parser refuses", () => {
  it("gets 400 and 431 in the usual error format with the security headers", async () => {
    const broken = parse(await sendRaw(app.url, "NONSENSE / HTTP/1.1\r\n\r\n"));
    expect(broken.status).toBe(400);
    expect(broken.body).toEqual(contract("invalid"));
    expect(broken.head).toContain("x-content-type-options: nosniff");
    const large = `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${"x".repeat(20_000)}\r\n\r\n`;
    const refused = parse(await sendRaw(app.url, large));
    expect(refused.status).toBe(431);
    expect(refused.body).toEqual(contract("headers_too_large"));
  });

  it("gets no body for a HEAD", async () => {
    const broken = "HEAD /healthz HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n\r\n";
    const [head = "", ...rest] = (await sendRaw(app.url, broken)).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-request-id: /);
    expect(rest).toEqual([""]);
  });
});

describe("what Node refuses by itself", () => {
  it("responds with the usual error to a missing host, an unknown expectation or encoding, and CONNECT", async () => {
    const cases = [
      ["GET /healthz HTTP/1.1\r\n\r\n", 400, "invalid"],
      ["GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: more\r\n\r\n", 417, "expectation_failed"],
      ["GET /healthz HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n\r\n", 400, "invalid"],
      ["CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n", 400, "invalid"],
    ] as const;
    for (const [text, status, code] of cases) {
      const refused = parse(await sendRaw(app.url, text));
      expect({ text, status: refused.status }).toEqual({ text, status });
      expect(refused.body).toEqual(contract(code));
      expect(refused.head).toContain(`x-request-id: ${refused.body.requestId}`);
      expect(refused.head).toContain("x-content-type-options: nosniff");
      expect(refused.head).toContain("connection: close");
    }
    const old = "GET /healthz HTTP/1.0\r\n\r\n";
    expect(parse(await sendRaw(app.url, old)).status).toBe(200);
  });
});

/** Malformed requests, whose connection the server closes with or without a response. */
const malformed = [
  "\x16\x03\x01\x02\x00\x01\x00",
  "\r\n\r\n\r\n",
  "GET /api/videos HTTP/2.0\r\nhost: x\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "GET /api/videos HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n",
  "GET /api/vid eos HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /api/videos HTTP/1.1\nhost: x\n\n",
  "GET /api/videos HTTP/1.1\r\nhost : x\r\n\r\n",
  "GET /api/videos HTTP/1.1\r\nhost: x\r\n folded: y\r\n\r\n",
  "GET /api/videos HTTP/1.1\r\nhost: x\r\nx: \0\r\n\r\n",
  "get /api/videos HTTP/1.1\r\nhost: x\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n",
  ...[
    "content-length: 5\r\ncontent-length: 6\r\n\r\n{}",
    "content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    "content-length: 9\r\n\r\n{",
  ].map(
    (end) => `POST /api/visits HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${end}`,
  ),
];

it("responds to malformed requests with the usual error or none, and keeps running", async () => {
  for (const text of malformed) {
    const { socket, received } = openConnection(app.url);
    socket.end(Buffer.from(text, "latin1"));
    const response = await received;
    if (response === "") continue;
    const refused = parse(response);
    expect({ text, status: refused.status }).toEqual({
      text,
      status: expect.toBeOneOf([400, 404]),
    });
    expect(refused.body).toEqual(contract(refused.status === 404 ? "not_found" : "invalid"));
  }
  expect((await createClient(app.url).call("GET", "/healthz")).status).toBe(200);
});

describe("what the HTTP parser refuses after a response has begun", () => {
  it("gets no second response to the same request", async () => {
    const head = "GET /healthz HTTP/1.1\r\nhost: x\r\n";
    const received = await sendRaw(app.url, `${head}expect: x\r\ntransfer-encoding: x\r\n\r\n`);
    expect(received.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(parse(received).body).toEqual(contract("expectation_failed"));
  });

  it("gets its response after the previous request's", async () => {
    const core = createTestCore();
    const refusal = once(core.app.server, "clientError");
    core.app.get("/begun", async (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { "content-length": 8 }).write("half");
      await refusal;
      reply.raw.end("rest");
    });
    core.app.get("/waiting", async () => {
      await refusal;
      return "late";
    });
    const url = await core.app.listen({ port: 0, host: "127.0.0.1" });
    for (const [path, body] of [
      ["/begun", "halfrest"],
      ["/waiting", "late"],
    ]) {
      const request = `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
      const [first, second, ...others] = (
        await sendRaw(url, `${request}NONSENSE / HTTP/1.1\r\n\r\n`)
      ).split(/(?=HTTP\/1\.1 )/);
      expect(first).toMatch(new RegExp(`^HTTP/1.1 200 [^]*\r\n\r\n${body}$`));
      expect(parse(second ?? "").body).toEqual(contract("invalid"));
      expect(others).toEqual([]);
    }
    await core.app.close();
  });
});

describe("addresses that cannot be decoded", () => {
  it("responds with 404 and logs no error", async () => {
    const log = vi.spyOn(app.context.logger, "error");
    for (const text of ["%E0%A4", "%FF%FE", "%C0%80", "%ED%A0%80"]) {
      for (const base of ["/video/", "/embed/", "/tags/", "/feed/", "/", "/api/videos/"]) {
        const response = await createClient(app.url).call("GET", base + text);
        const { status, json, headers } = response;
        expect({ path: base + text, status }).toEqual({ path: base + text, status: 404 });
        expect(json).toEqual(contract("not_found"));
        expect(headers.get("x-request-id")).toBe(json.requestId);
      }
    }
    const { json, status } = await createClient(app.url).call(
      "GET",
      `/api/videos/${"x".repeat(1500)}`,
    );
    expect([status, json]).toEqual([404, contract("not_found")]);
    expect(log.mock.calls).toEqual([]);
    log.mockRestore();
  });
});

describe("a client that breaks the connection", () => {
  it("is not reported as a database outage", async () => {
    const lines: unknown[] = [];
    const logger = createLogger("silent");
    const core = createTestCore({ logger });
    const log = vi.spyOn(core.app.log, "error").mockImplementation((...line) => lines.push(line));
    const failed: unknown[] = [];
    core.app.addHook("onRequest", async (request) => {
      vi.spyOn(request.log, "error").mockImplementation((...line) => lines.push(line));
    });
    core.app.addHook("onError", async (_request, _reply, error) => void failed.push(error));
    core.app.post("/echo", async (request) => request.body);
    const url = await core.app.listen({ port: 0, host: "127.0.0.1" });
    for (let round = 0; round < 5; round += 1) {
      const { socket, received } = openConnection(url);
      socket.write("POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n");
      socket.write('content-length: 100\r\n\r\n{"half":');
      await once(core.app.server, "request");
      await wait(20);
      socket.resetAndDestroy();
      await received;
    }
    await expect.poll(() => failed.length).toBe(5);
    expect(lines).toEqual([]);
    log.mockRestore();
    await core.app.close();
  });
});

describe("slow bodies", () => {
  // The window is long enough for a busy machine.
  const times = { totalMs: 300, windowMs: 2000, minBytesPerWindow: 1000, uploadTotalMs: 60_000 };
  const start = async () => {
    const { app: http } = createTestCore({ bodyTimes: times });
    http.addContentTypeParser("application/octet-stream", (_request, payload, done) =>
      done(null, payload),
    );
    http.post("/json", async () => "done");
    http.post("/early", { onRequest: async (_request, reply) => reply.send("no") }, async () => "");
    const options = { config: { isUpload: true }, bodyLimit: 20_000 };
    http.post("/upload", options, async (request) => {
      let bytes = 0;
      for await (const chunk of request.raw) bytes += Buffer.byteLength(chunk);
      return String(bytes);
    });
    return { http, url: await http.listen({ port: 0, host: "127.0.0.1" }) };
  };
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${type === "application/json" ? 10_000 : 20_000}\r\n\r\n`;

  it("responds with 408 to a slow ordinary call, or closes its connection after an early response", async () => {
    const { http, url } = await start();
    const slow = ["/json", "/unknown", "/early"].map(async (path) => {
      const { socket, received } = openConnection(url);
      socket.write(head(path, "application/json"));
      const drip = setInterval(() => socket.writable && socket.write(" "), 20);
      const text = await received;
      clearInterval(drip);
      return text;
    });
    const [json = "", unknown = "", early = ""] = await Promise.all(slow);
    expect(parse(json)).toMatchObject({ status: 408, body: contract("timeout") });
    expect(unknown).toMatch(/^HTTP\/1.1 (404|408)/);
    expect(early).toMatch(/^HTTP\/1.1 200/);
    await http.close();
  });

  it("continues an upload while enough bytes arrive, and ends it when they stop", async () => {
    const { http, url } = await start();
    const good = openConnection(url);
    good.socket.write(head("/upload", "application/octet-stream"));
    // 20,000 bytes in twenty parts take longer than ordinary calls may.
    for (let part = 0; part < 20; part += 1) {
      good.socket.write("x".repeat(1000));
      await wait(30);
    }
    expect(await good.received).toMatch(/^HTTP\/1.1 200[\s\S]*20000/);
    const idle = openConnection(url);
    idle.socket.write(`${head("/upload", "application/octet-stream")}xxx`);
    expect(parse(await idle.received)).toMatchObject({ status: 408, body: contract("timeout") });
    await http.close();
  });
});

describe("connections", () => {
  it("limits connections of one address, but not of a trusted proxy", async () => {
    for (const [trustProxy, refused] of [
      [[], 3],
      [["127.0.0.0/8"], 0],
    ] as const) {
      const server = createServer();
      limitConnections(server, trustProxy, 5);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      const open = Array.from({ length: 8 }, () => openConnection(`http://127.0.0.1:${port}`));
      let count = 0;
      for (const { received } of open) {
        void received.then((text) => {
          if (text.startsWith("HTTP/1.1 429") && text.includes("retry-after: 5")) count += 1;
        });
      }
      await expect.poll(() => count).toBe(refused);
      for (const { socket } of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  });
});

it("lets an administrator upload slowly by tus", async () => {
  const created = await fetch(`${app.url}/api/uploads`, {
    method: "POST",
    headers: { cookie: admin, "tus-resumable": "1.0.0", "upload-length": "6" },
  });
  expect(created.status).toBe(201);
  const path = created.headers.get("location") ?? "";
  const { socket, received } = openConnection(app.url);
  socket.write(
    `PATCH ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncookie: ${admin}\r\ntus-resumable: 1.0.0\r\n` +
      "upload-offset: 0\r\ncontent-type: application/offset+octet-stream\r\ncontent-length: 3\r\n\r\n",
  );
  for (const letter of "abc") {
    await wait(100);
    socket.write(letter);
  }
  expect(await received).toMatch(/^HTTP\/1.1 204/);
});

it("formats errors of the tus server like all others", async () => {
  const tus = { cookie: admin, "tus-resumable": "1.0.0" };
  const path = "/api/uploads/01900000-0000-7000-8000-000000000000";
  const patch = { "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const cases = [
    ["POST", "/api/uploads", { cookie: admin }, 412],
    // Statuses that mean something else here, or that aren't errors of this site.
    ["POST", "/api/uploads", { ...tus, "upload-length": "5", "upload-concat": "partial" }, 400],
    ["PATCH", path, { ...tus, "content-type": patch["content-type"] }, 400],
    ["POST", "/api/uploads", tus, 400],
    ["POST", "/api/uploads", { ...tus, "upload-length": "x" }, 400],
    ["POST", "/api/uploads", { ...tus, "upload-length": "9".repeat(13) }, 413],
    ["PATCH", path, { ...tus, ...patch }, 404],
    ["PATCH", path, { ...tus, ...patch, "upload-offset": "x" }, 400],
    ["DELETE", path, tus, 404],
    ["DELETE", "/api/uploads/x", tus, 404],
  ] as const;
  for (const [method, url, headers, status] of cases) {
    const response = await createClient(app.url).call(method, url, undefined, headers);
    expect({ method, url, status: response.status }).toEqual({ method, url, status });
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.json).toEqual({
      code: expect.stringMatching(/^(invalid|not_found|precondition_failed|too_large)$/),
      message: expect.stringMatching(/\w/),
      requestId: response.headers.get("x-request-id"),
    });
    const [, expected] =
      Object.entries(errorStatus).find(([code]) => code === response.json.code) ?? [];
    expect(expected).toBe(status);
  }
});
