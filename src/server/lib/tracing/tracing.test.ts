import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { plain, videoForm } from "#test/sample-videos.ts";

interface SentSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}
interface Sent {
  resourceSpans: {
    resource: { attributes: SentSpan["attributes"] };
    scopeSpans: { spans: SentSpan[] }[];
  }[];
}

/** Requests that an OpenTelemetry collector would receive. */
const received: { path: string | undefined; header: unknown; body: Sent }[] = [];
const collector = createServer((request, response) => {
  void json(request).then((body) => {
    received.push({ path: request.url, header: request.headers["x-team"], body: body as Sent });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
});
const variables = {
  OTEL_SERVICE_NAME: "kinora-test",
  OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=tests",
  OTEL_EXPORTER_OTLP_HEADERS: "x-team=video",
};

let app: TestApp;
beforeAll(async () => {
  await once(collector.listen(0, "127.0.0.1"), "listening");
  const { port } = collector.address() as AddressInfo;
  // The exporter reads its own variables.
  Object.assign(process.env, variables, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  });
  const { OTEL_EXPORTER_OTLP_ENDPOINT = "" } = process.env;
  app = await startTestApp({
    work: true,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT, TRUST_PROXY: "127.0.0.1" },
  });
});
afterAll(() => {
  for (const name of [...Object.keys(variables), "OTEL_EXPORTER_OTLP_ENDPOINT"]) {
    delete process.env[name];
  }
  collector.close();
});

test("exports requests, statements, jobs and media tools as spans of one trace each", async () => {
  const { database } = app;
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const video = await makeVideo(database.db);
  const client = createClient(app.url, await app.signIn());
  const caller = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, "x-forwarded-for": "::1" };
  await client.call("GET", `/api/videos/${video.slug}?secret=query`, undefined, caller);
  await createClient(app.url).call("GET", "/api/videos?limit=4", undefined, {
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  });
  await client.call("GET", "/healthz");
  const form = await videoForm(await plain(), { title: "Traced" });
  const sent = await client.call("POST", "/api/videos", form);
  const statusOf = async () =>
    (await client.call("GET", `/api/videos/${sent.json.id}`)).json.status;
  await expect.poll(statusOf, { timeout: 60_000 }).toBe("ready");
  await app.stop();

  const [first] = received;
  expect([first?.path, first?.header]).toEqual(["/v1/traces", "video"]);
  const about = first?.body.resourceSpans[0]?.resource.attributes;
  expect(about).toContainEqual({ key: "service.name", value: { stringValue: "kinora-test" } });
  expect(about).toContainEqual({
    key: "deployment.environment.name",
    value: { stringValue: "tests" },
  });
  const spans = received.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const get = (name: string) => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`no span ${name}`);
    return found;
  };
  const request = get("GET /api/videos/:id");
  expect(request).toMatchObject({ traceId, parentSpanId: "00f067aa0ba902b7", kind: 2 });
  expect(request.attributes).toContainEqual({
    key: "http.response.status_code",
    value: { intValue: 200 },
  });
  // A request that came directly doesn't belong to a proxy's trace.
  expect(get("GET /api/videos").traceId).not.toBe(traceId);
  expect(get("GET /api/videos").parentSpanId).toBeUndefined();
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  expect(statements.map(({ name }) => name)).toContain("select videos");

  const job = get("video.publish");
  const tools = spans.filter(
    ({ traceId: of, name }) => of === job.traceId && name.startsWith("ff"),
  );
  expect(tools.length).toBeGreaterThan(0);
  for (const span of spans) {
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  }
  expect(spans.map(({ name }) => name)).not.toContain("GET /healthz");
  expect(JSON.stringify(spans)).not.toMatch(/secret=query|session=/);
});
