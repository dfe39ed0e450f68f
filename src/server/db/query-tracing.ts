import type { LogEvent } from "kysely";
import type { Tracing } from "#server/lib/tracing/tracing.ts";

const maxTextLength = 2000;

/** Records the text of each statement but not its values. */
export const traceQueries =
  (tracing: Tracing) =>
  (event: LogEvent): void => {
    const { sql } = event.query;
    const [operation = "statement"] = /[a-z]+/i.exec(sql.replace(/^\s*\/\*.*?\*\//, "")) ?? [];
    const [, target] = /\b(?:from|into|update)\s+"?([a-z_]+)/i.exec(sql) ?? [];
    tracing.record({
      name: target === undefined ? operation : `${operation} ${target}`,
      kind: "client",
      durationMs: event.queryDurationMillis,
      attributes: {
        "db.system.name": "postgresql",
        "db.operation.name": operation,
        "db.query.text": sql.slice(0, maxTextLength),
      },
      ...(event.level === "error" ? { error: event.error } : {}),
    });
  };
