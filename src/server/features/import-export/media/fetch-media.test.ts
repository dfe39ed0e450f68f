import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createGuardedRequest } from "#server/lib/outbound/guarded-request.ts";
import { fetchMedia } from "./fetch-media.ts";

let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const to = /^\/to(.*)/.exec(request.url ?? "")?.[1];
    if (to !== undefined) response.writeHead(302, { location: to === "" ? "/to" : to }).end();
    else if (request.url === "/big") response.writeHead(200, { "content-length": 1e9 }).end();
    else if (request.url === "/named")
      response.writeHead(request.headers["user-agent"] === undefined ? 403 : 200).end("bytes");
    else if (request.url === "/none") response.writeHead(404).end();
    else if (request.url === "/cut")
      response.writeHead(200, { "content-length": 100 }).write("x", () => request.socket.destroy());
    else response.end("bytes");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
afterAll(() => server.close());

const request = createGuardedRequest({ isAllowed: (address) => address === "127.0.0.1" });
const fetchText = async (path: string) => {
  const options = { maxBytes: 1000, signal: AbortSignal.timeout(20_000) };
  const pieces = [];
  for await (const piece of await fetchMedia(request, new URL(path, base), options)) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
};

it("follows redirects and checks each of them", async () => {
  expect(await fetchText("/to/file")).toBe("bytes");
  await expect(fetchText("/tohttp://127.0.0.2/x")).rejects.toThrow("on the public internet");
  await expect(fetchText("/tofile:///etc/passwd")).rejects.toThrow("on the public internet");
  await expect(fetchText("/to")).rejects.toThrow("more than 5 redirects");
});

it("sends the name of the program, which some servers require", async () => {
  expect(await fetchText("/named")).toBe("bytes");
});

it("reports the reason for a missing or incomplete file", async () => {
  await expect(fetchText("/none")).rejects.toThrow("responded with 404");
  await expect(fetchText("/cut")).rejects.toMatchObject({
    code: "invalid",
    message: "address: the connection was lost during the download",
  });
  await expect(fetchText("/big")).rejects.toMatchObject({ code: "too_large" });
  server.closeAllConnections();
});
