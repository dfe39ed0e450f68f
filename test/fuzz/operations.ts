import { z } from "zod";
import { createSchemaCheck, type JsonSchema, type SchemaCheck } from "./json-schema.ts";

interface Parameter {
  name: string;
  in: string;
  schema: JsonSchema;
}

/** Operation of the OpenAPI document. */
export interface Operation {
  method: string;
  /** Path with parameter names in braces, such as `/api/videos/{id}`. */
  path: string;
  query: readonly Parameter[];
  body: JsonSchema | null;
  /** Checks for the JSON of responses, by status. */
  responses: ReadonlyMap<number, SchemaCheck>;
}

const schema = z.custom<JsonSchema>((value) => typeof value === "object" && value !== null);
const responseSchema = z.custom<z.core.JSONSchema.JSONSchema>(
  (value) => typeof value === "object" && value !== null,
);
const requestContent = z.record(z.string(), z.object({ schema: schema.optional() }));
const responseContent = z.record(z.string(), z.object({ schema: responseSchema.optional() }));
const openApi = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        parameters: z.array(z.object({ name: z.string(), in: z.string(), schema })).default([]),
        requestBody: z.object({ content: requestContent }).optional(),
        responses: z
          .record(z.string(), z.object({ content: responseContent.optional() }))
          .default({}),
      }),
    ),
  ),
});

/** URLs for crawlers, readers, players and frames, which the document doesn't contain. */
const undocumented = [
  "/.well-known/security.txt",
  "/actors/{id}/feed.rss",
  "/api/docs",
  "/api/openapi.json",
  "/categories/{id}/feed.rss",
  "/feed.rss",
  "/manifest.webmanifest",
  "/media/{path}",
  "/robots.txt",
  "/sitemap-{part}.xml",
  "/sitemap.xml",
  "/spots/frame/{id}",
  "/spots/preview",
  "/spots/script/{id}/{part}",
  "/tags/{id}/feed.rss",
  "/embed/{id}",
  "/feed/{id}",
  "/search",
  "/video/{id}",
  "/{path}",
];

/** Returns all operations of the OpenAPI document and the undocumented URLs. */
export function readOperations(document: unknown): Operation[] {
  const documented = Object.entries(openApi.parse(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody, responses }]): Operation => ({
      method: method.toUpperCase(),
      path,
      query: parameters.filter((parameter) => parameter.in === "query"),
      body: requestBody?.content["application/json"]?.schema ?? null,
      responses: new Map(
        Object.entries(responses).flatMap(([status, response]) => {
          const json = response.content?.["application/json"]?.schema;
          return json === undefined ? [] : [[Number(status), createSchemaCheck(json)] as const];
        }),
      ),
    })),
  );
  const others = undocumented.map((path): Operation => ({
    method: "GET",
    path,
    query: [],
    body: null,
    responses: new Map(),
  }));
  return [...documented, ...others];
}
