import swagger from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import type { App } from "./app.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Fields of a multipart body, for the API's description only. */
    form?: z.ZodObject;
  }
}

/** Response without a body. */
export const noBody: z.ZodType = z.null().describe("Nothing to return");

/** Describes every call from its validation schemas. Register before the routes. */
export async function registerOpenApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Kinora",
        version: "1",
        description:
          "Every call of the site. Errors are {message, code, requestId, issues?}. Calls of the back office need the session cookie of an account whose role allows them, or an API token of it: Authorization: Bearer kinora_...",
      },
    },
    // Bodies that are read as streams have no schema, because Fastify doesn't validate them.
    transform: ({ schema, ...call }) => {
      const streamed = schema?.consumes === undefined ? undefined : z.file();
      const body = schema?.body ?? call.route.config?.form ?? streamed;
      return jsonSchemaTransform({ ...call, schema: { ...schema, body } });
    },
    transformObject: jsonSchemaTransformObject,
  });
}

export function registerOpenApiRoutes(app: App): void {
  // As bytes, which all responses share while clients read slowly.
  let document: Buffer | null = null;
  let page: Buffer | null = null;

  app.get(
    "/api/openapi.json",
    { config: { policy: "public" }, schema: { hide: true } },
    async (_request, reply) => {
      document ??= Buffer.from(JSON.stringify(app.swagger()));
      return reply.type("application/json; charset=utf-8").send(document);
    },
  );

  // Plain page generated from the same document, without scripts or external resources.
  app.get(
    "/api/docs",
    { config: { policy: "public" }, schema: { hide: true } },
    async (_request, reply) => {
      void reply.header(
        "content-security-policy",
        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      );
      page ??= Buffer.from(renderDocs(app.swagger()));
      return reply.type("text/html; charset=utf-8").send(page);
    },
  );
}

const escape = (value: unknown) =>
  (typeof value === "string" ? value : "").replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function renderDocs(document: object): string {
  const paths = "paths" in document && isRecord(document.paths) ? document.paths : {};
  const sections = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isRecord(methods) ? methods : {}).map(([method, operation]) => {
      const details = isRecord(operation) ? operation : {};
      return `<details><summary><b>${escape(method.toUpperCase())}</b> <code>${escape(path)}</code> ${escape(details["summary"])}</summary><pre>${escape(JSON.stringify(operation, null, 2))}</pre></details>`;
    }),
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API</title><style>body{font:15px/1.5 system-ui;max-width:72rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}summary{padding:.4rem 0;cursor:pointer}pre{overflow:auto;font-size:13px}</style><h1>API</h1><p>The whole description: <a href="/api/openapi.json">openapi.json</a></p>${sections.join("")}</html>`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
