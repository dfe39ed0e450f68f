import type { Random } from "../reference/random.ts";
import { makeBody } from "./bodies.ts";
import type { Call } from "./call.ts";
import { makeHeaders } from "./headers.ts";
import type { KnownValues } from "./known-values.ts";
import type { Operation } from "./operations.ts";
import { makePath } from "./paths.ts";

const otherMethods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
];

/** Returns how often to draw an operation. Slow ones and ones that remove needed data are rare. */
function weightOf({ method, path }: Operation): number {
  // It would change the address that the fuzzer signs in with. `second-factors.test.ts` covers it.
  if (path === "/api/account/email") return 0;
  if (path === "/source.tar.gz") return 0.02;
  if (path.endsWith("/vast-test") || path.endsWith("/documents")) return 0.2;
  if (/(picture|thumbnail)$/.test(path) && method === "PUT") return 0.15;
  if (method === "POST" && path === "/api/videos") return 0.5;
  if (path.startsWith("/api/auth/")) return 0.3;
  if (path === "/api/docs" || path === "/api/openapi.json") return 0.1;
  if (method === "DELETE" || path.endsWith("/merge")) return 0.3;
  return 1;
}

/**
 * Creates a function that draws calls. The same random numbers and known values produce the same
 * call.
 */
export function createCallMaker(operations: readonly Operation[], known: KnownValues) {
  const weights = operations.map(weightOf);
  const total = weights.reduce((sum, weight) => sum + weight, 0);

  function pickOperation(random: Random): Operation {
    let left = random.next() * total;
    const index = weights.findIndex((weight) => (left -= weight) < 0);
    return operations[Math.max(0, index)] ?? random.pick(operations);
  }

  return (random: Random): Call => {
    const operation = pickOperation(random);
    const source = { random, known };
    const method = random.below(40) === 0 ? random.pick(otherMethods) : operation.method;
    const body = makeBody(operation, source);
    return {
      operation,
      method,
      path: makePath(operation, source),
      headers: { ...body?.headers, ...makeHeaders(random) },
      body: body?.bytes ?? null,
    };
  };
}
