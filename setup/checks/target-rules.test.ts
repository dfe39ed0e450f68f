import { expect, it } from "vitest";
import { findRawTargets } from "./target-rules.ts";

const file = "src/server/http/a.ts";

it.each([
  "request.url.startsWith('/api/')",
  "reply.request.raw.url",
  "request.originalUrl",
  "const { url = '/', method } = request;",
  "const { url } = request.raw;",
  "rewriteUrl: ({ url = '' }: IncomingMessage) => url",
])("finds code that reads an address without the normaliser: %s", (text) => {
  expect(findRawTargets(file, text)).toEqual([
    `${file}: the address of a request is read with targetOf of http/request-target.ts`,
  ]);
});

it.each([
  "targetOf(request.raw).url",
  "request.routeOptions.url",
  "request.body.url",
  "const { url, format } = request.query;",
])("ignores other addresses: %s", (text) => {
  expect(findRawTargets(file, text)).toEqual([]);
});

it("ignores the normaliser itself, tests and other folders", () => {
  for (const path of ["src/server/http/request-target.ts", "src/server/a.test.ts", "test/a.ts"]) {
    expect(findRawTargets(path, "request.url")).toEqual([]);
  }
});
