import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { z } from "zod";
import type { ErrorBody } from "#contract/errors.ts";
import { problemText } from "#contract/field-words.ts";
import { isDatabaseUnreachable } from "#server/db/connection.ts";
import { AppError, hasCode, type Issue } from "#server/lib/app-error.ts";
import { warnLimited } from "#server/lib/logger.ts";
import { loggedPath } from "./request-target.ts";

type ZodIssue = Parameters<z.core.$ZodErrorMap>[0];

const units: Record<string, string> = { string: " characters", array: " entries" };
const unitOf = (origin: string, count: number | bigint): string => {
  const unit = units[origin] ?? "";
  return Number(count) === 1 ? unit.replace(/ies$/, "y").replace(/s$/, "") : unit;
};

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const formats: Record<string, string> = {
  email: "an email address",
  url: "a URL",
  uuid: "an ID",
  date: "a date",
  datetime: "a date and time",
};

/** Returns a field's rule in plain words, for schemas without their own text. */
function textOf(issue: ZodIssue): string {
  switch (issue.code) {
    case "too_big":
      return `at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? "must not be empty"
        : `at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case "invalid_type":
      return issue.input === undefined
        ? "is required"
        : `must be ${kinds[issue.expected] ?? "something else"}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "invalid_format":
      return issue.format in formats
        ? `must be ${formats[issue.format]}`
        : "has an unexpected format";
    default:
      return "is not valid";
  }
}

/** Installs these texts for every schema that has none. */
export function installValidationTexts(): void {
  z.config({ customError: textOf });
}

/** Returns the body of an error response. */
function body(request: FastifyRequest, code: string, message: string, issues?: Issue[]): ErrorBody {
  return { message, code, requestId: request.id, ...(issues === undefined ? {} : { issues }) };
}

/** Codes and messages for errors thrown by Fastify. */
const fastifyCodes: Record<string, { code: AppError["code"]; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: "too_large", message: "The request is too large." },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: "unsupported_media",
    message: "This endpoint accepts JSON. Set Content-Type: application/json.",
  },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: "invalid", message: "The request body isn't valid JSON." },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: "invalid", message: "The request body is empty." },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: "invalid",
    message: "The request body doesn't match its Content-Length.",
  },
};

/** PostgreSQL error codes for unique and foreign keys, serialisation and deadlocks. */
const concurrentChange = /^(23505|23503|40001|40P01)$/;

/** Maximum number of issues in a response. More wouldn't help anyone. */
const maxIssues = 20;

/**
 * Converts a thrown value to an error response. This is the only place that does so.
 * @returns null for an unknown error.
 */
function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.slice(0, maxIssues).map((entry) => ({
      path: entry.instancePath.replace(/^\//, "").replaceAll("/", "."),
      message: entry.message ?? "is not valid",
    }));
    const first = issues[0];
    const text =
      first === undefined
        ? "The request isn't valid."
        : first.path === "" || /^[A-Z]/.test(first.message)
          ? first.message
          : problemText(first.path.split("."), first.message);
    return new AppError("invalid", text, { issues });
  }
  if (isDatabaseUnreachable(error)) {
    return new AppError("unavailable", "The database can't be reached. Try again in a moment.", {
      retryAfterS: 2,
      cause: error,
    });
  }
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    const known = fastifyCodes[error.code];
    if (known !== undefined) return new AppError(known.code, known.message, { cause: error });
    // The rules were checked before, so if the database rejects a change, the data changed in the
    // meantime.
    if (concurrentChange.test(error.code)) {
      return new AppError("conflict", "Someone else changed this at the same time. Try again.", {
        cause: error,
      });
    }
    // The JSON parser and the router throw plain 400s.
    if ("statusCode" in error && error.statusCode === 400) {
      return new AppError("invalid", error.message, { cause: error });
    }
    if (error.code === "22P05" || error.code === "22021") {
      return new AppError("invalid", "The text contains a character that can't be stored.", {
        cause: error,
      });
    }
  }
  if (error instanceof SyntaxError && "statusCode" in error && error.statusCode === 400) {
    return new AppError("invalid", "The request body isn't valid JSON.", { cause: error });
  }
  if (error instanceof Error && "statusCode" in error && error.statusCode === 400) {
    return new AppError("invalid", error.message, { cause: error });
  }
  return null;
}

/**
 * Returns whether the client closed the connection. The error is then that of the request, the
 * response or their socket. An ECONNRESET from the database is a different error.
 */
function isFromClient(request: FastifyRequest, reply: FastifyReply, error: unknown): boolean {
  const { raw } = request;
  // An unread body detaches the socket.
  const socket: Socket | null = raw.socket;
  const causes = [raw.errored, socket?.errored ?? null, reply.raw.errored];
  if (!(error instanceof Error)) return false;
  if (causes.includes(error)) return true;
  // Error caused by the lost connection, thrown while reading a body or writing a file.
  const isConsequence = error.name === "AbortError" || hasCode(error, "ERR_STREAM_PREMATURE_CLOSE");
  if (isConsequence && causes.some((cause) => cause instanceof Error)) return true;
  return error instanceof AppError && error.cause !== undefined
    ? isFromClient(request, reply, error.cause)
    : false;
}

function logKnown(request: FastifyRequest, error: AppError): void {
  if (error.status < 500) return;
  const about = { err: error, url: loggedPath(request.raw) };
  if (error.code !== "unavailable") request.log.error(about, error.message);
  // Without a cause, the server is only busy with other requests, which isn't a failure.
  else if (error.cause !== undefined) {
    warnLimited(request.server.log, "unavailable", about, error.message);
  }
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  if (isFromClient(request, reply, error)) {
    request.log.debug({ err: error }, "the client closed the connection");
    // No client receives it, but the framework requires a response.
    const gone = new AppError("invalid", "The request was interrupted before it was complete.");
    void reply.status(gone.status).send(body(request, gone.code, gone.message));
    return;
  }
  const known = toAppError(error);
  if (known === null) {
    request.log.error({ err: error, url: loggedPath(request.raw) }, "request failed");
    void reply
      .status(500)
      .type("application/json; charset=utf-8")
      .header("cache-control", "no-store")
      .send(body(request, "internal", `Something went wrong on our side. Request ${request.id}.`));
    return;
  }
  logKnown(request, known);
  if (known.retryAfterS !== undefined) {
    void reply.header("retry-after", String(Math.max(1, Math.ceil(known.retryAfterS))));
  }
  void reply
    .status(known.status)
    .type("application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .send(body(request, known.code, known.message, known.issues));
}

export function registerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(request, reply, error));
}
