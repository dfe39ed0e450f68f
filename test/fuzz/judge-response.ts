import { errorBody, errorStatus } from "#contract/errors.ts";
import type { Call } from "./call.ts";
import type { Received } from "./send-call.ts";

/**
 * Texts that no response may contain, because they reveal details of the machine, SQL or database
 * errors.
 */
const revealing: readonly RegExp[] = [
  /\$argon2/,
  /\n\s+at .+:\d+/,
  /\bat \S+ \(\S+:\d+:\d+\)/,
  /node_modules|node:internal|file:\/\/\/(?!etc)/,
  /\b(select|insert into|delete from)\s+["\w.*]+.{0,200}\b(from|values|where)\b/is,
  // Doesn't match "update like this", which may be a text on the site.
  /\bupdate\s+["\w.]+(\s+as\s+"?\w+"?)?\s+set\b/i,
  /duplicate key value|violates \S+(-\S+)? constraint|syntax error at or near|invalid input syntax/,
  /\bE(NOENT|ACCES|EXIST|ISDIR|NOTDIR|NAMETOOLONG|MFILE)\b/,
  /\bERR_[A-Z_]+|FST_ERR/,
  /pg_catalog|pg_toast|information_schema/,
];

const isJson = ({ headers }: Received): boolean =>
  /^application\/json\b/.test(headers["content-type"] ?? "");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether this is a page. Requests outside the API get one, possibly from the cache. */
const isPage = ({ path }: Call, { headers }: Received): boolean =>
  !path.startsWith("/api/") && /^text\/(html|plain)\b/.test(headers["content-type"] ?? "");

function judgeError(call: Call, received: Received): string[] {
  const { status, headers, text } = received;
  // A failing /readyz has its own documented format.
  const documented = call.operation.responses.get(status);
  if (documented !== undefined && documented(parseJson(text)) === null) return [];
  const problems: string[] = [];
  if (status >= 500 && status !== errorStatus.storage_full) problems.push(`status ${status}`);
  if (isPage(call, received)) return problems;
  if (typeof headers["x-request-id"] !== "string") problems.push("no x-request-id");
  if (status === 429 && headers["retry-after"] === undefined) problems.push("no Retry-After");
  if (call.method === "HEAD") return problems;
  if (!isJson(received)) return [...problems, `an error as ${headers["content-type"]}`];
  const body = errorBody.strict().safeParse(parseJson(text));
  if (!body.success) return [...problems, "an error without the form of errors"];
  const { code, message, requestId } = body.data;
  const expected = Object.entries(errorStatus).find(([name]) => name === code)?.[1];
  if (expected !== status) problems.push(`code ${code} with status ${status}`);
  if (message.trim() === "") problems.push("an empty message");
  if (requestId !== headers["x-request-id"]) problems.push("another requestId than in the header");
  return problems;
}

/**
 * Returns whether the URL still belongs to its operation, because parameters may contain slashes or
 * be empty.
 */
function isOf({ path, operation }: Call): boolean {
  const parts = operation.path.split(/\{\w+\}/).map((part) => part.replaceAll(".", "\\."));
  return new RegExp(`^${parts.join("[^/?]+")}/?(\\?|$)`).test(path);
}

function judgeSuccess(call: Call, received: Received): string[] {
  const { status, text } = received;
  if (call.method === "HEAD" || !isJson(received) || text === "") return [];
  const value = parseJson(text);
  if (value === undefined) return ["a body that isn't JSON"];
  if (call.method !== call.operation.method || !isOf(call)) return [];
  const problem = call.operation.responses.get(status)?.(value) ?? null;
  return problem === null ? [] : [`not as documented: ${problem}`];
}

/**
 * @param secrets texts that this caller must not receive.
 * @returns what is wrong with a response.
 */
export function judgeResponse(
  call: Call,
  received: Received,
  secrets: readonly string[],
): string[] {
  const { status, headers, text } = received;
  const everything = `${JSON.stringify(headers)}\n${text}`;
  return [
    ...(status >= 400 ? judgeError(call, received) : judgeSuccess(call, received)),
    ...secrets.filter((secret) => everything.includes(secret)).map((secret) => `reveals ${secret}`),
    ...revealing
      .filter((pattern) => pattern.test(everything))
      .map((pattern) => `looks like an inside: ${pattern.exec(everything)?.[0].slice(0, 100)}`),
  ];
}
