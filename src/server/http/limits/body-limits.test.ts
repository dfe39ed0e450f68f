import { beforeAll, expect, it, vi } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { actionsOf } from "../access/policy.ts";

let admin: string;
const app = useTestApp();
beforeAll(async () => {
  admin = await app.signIn();
});

const post = (path: string, body: string, cookie = "") =>
  fetch(app.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...(cookie === "" ? {} : { cookie }) },
    body,
  });

/** Calls with larger bodies, in KB. */
const longer: Record<string, number> = {
  // Forms with long texts, which browsers without scripts send percent-encoded.
  "/api/videos/:id/reports": 64,
  "/api/takedowns": 64,
  "/api/videos/:id/comments": 64,
  // Visitor library that is being moved to another device, as one text.
  "/api/transfers": 769,
};

it("refuses more than 16 KB from callers who aren't signed in, even without a route", async () => {
  const calls = app.routes.filter(
    ({ method, policy }) =>
      method === "POST" && actionsOf(policy).length === 0 && policy !== "user",
  );
  expect(calls.length).toBeGreaterThan(8);
  for (const url of [...calls.map((route) => route.url), "/api/unknown", "/unknown"]) {
    const filler = "y".repeat((longer[url] ?? 16) * 1024);
    const response = await post(url.replace(":id", "x"), JSON.stringify({ ref: "x", filler }));
    expect({ url, status: response.status }).toEqual({ url, status: 413 });
    expect(await response.json()).toMatchObject({ code: "too_large" });
  }
});

it("refuses a body of 300,000 empty objects without parsing it", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const body = `[${"{},".repeat(300_000)}{}]`;
  const response = await post("/api/visits", body);
  const parsed = parse.mock.calls.filter(([text]) => text.length > 100_000);
  parse.mockRestore();
  expect(response.status).toBe(413);
  expect(parsed).toEqual([]);
});

it("refuses 1 MB of empty objects from an administrator without parsing it", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const bodies = [
    `{"ids":[${"{},".repeat(340_000)}{}]}`,
    `{"ids":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
    `{"ids":[${"1,".repeat(500_000)}1]}`,
  ];
  for (const body of bodies) {
    const response = await post("/api/admin/bulk", body, admin);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid",
      message: "The JSON contains more than 20,000 values.",
    });
  }
  const parsed = parse.mock.calls.filter(([text]) => text.length > 100_000);
  parse.mockRestore();
  expect(parsed).toEqual([]);
});

it("lists at most 20 of the issues of a body", async () => {
  const names = Array.from({ length: 30 }, () => 1);
  const response = await post("/api/settings", JSON.stringify({ filterCategories: names }), admin);
  expect(response.status).toBe(400);
  const { issues }: { issues: unknown[] } = await response.json();
  expect(issues).toHaveLength(20);
});

it("accepts up to 1 MB from administrators", async () => {
  const terms = "a".repeat(90_000);
  expect((await post("/api/settings", JSON.stringify({ terms }), admin)).status).toBe(200);
  const filler = "y".repeat(1024 * 1024);
  expect((await post("/api/settings", JSON.stringify({ filler }), admin)).status).toBe(413);
});

it("parses JSON without a reviver and lets no body change a prototype", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const video = await makeVideo(app.db);
  const response = await post(
    `/api/videos/${video.id}/watch`,
    '{"watchTime":1,"completed":false,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  );
  const calls = parse.mock.calls.filter(([text]) => text.includes("polluted"));
  parse.mockRestore();
  expect(response.status).toBe(202);
  expect(calls.map((call) => call.length)).toEqual([1]);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

interface JsonSchema {
  type?: string;
  $ref?: string;
  enum?: unknown[];
  maxItems?: number;
  additionalProperties?: unknown;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/** Returns the parts of a schema that accept texts, lists or objects of any size. */
function listUnbounded(schema: JsonSchema, path: string, depth = 0): string[] {
  const { type, items, properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema;
  const found: string[] = [];
  if (depth > 8) return [`${path} is nested too deeply`];
  if (type === "array" && schema.maxItems === undefined) found.push(path);
  if (schema.additionalProperties instanceof Object || schema.$ref !== undefined) {
    found.push(`${path} has open keys`);
  }
  const isBounded = ["enum", "const", "maxLength", "format", "pattern"].some(
    (key) => key in schema,
  );
  if (type === "string" && !isBounded) found.push(path);
  for (const part of [...anyOf, ...oneOf, ...allOf]) {
    found.push(...listUnbounded(part, path, depth));
  }
  if (items !== undefined) found.push(...listUnbounded(items, `${path}[]`, depth + 1));
  for (const [name, part] of Object.entries(properties)) {
    found.push(...listUnbounded(part, `${path}.${name}`, depth + 1));
  }
  return found;
}

it("limits every text, list and level of nesting in a body", async () => {
  const { json } = await createClient(app.url).call("GET", "/api/openapi.json");
  interface Operation {
    requestBody?: { content: Record<string, { schema: JsonSchema }> };
  }
  const paths: Record<string, Record<string, Operation>> = json.paths;
  const bodies = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const schema = operation.requestBody?.content["application/json"]?.schema;
      return schema === undefined ? [] : [{ name: `${method} ${path}`, schema }];
    }),
  );
  expect(bodies.length).toBeGreaterThan(15);
  expect(bodies.flatMap(({ name, schema }) => listUnbounded(schema, name))).toEqual([]);
});
