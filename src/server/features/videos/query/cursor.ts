import { z } from "zod";
import { isInstant } from "#contract/instant.ts";
import { AppError } from "#server/lib/app-error.ts";

/**
 * Position after the last item of a page: the sort value and the id that breaks ties. For lists by
 * relevance, it is the number of items before it. Opaque to clients.
 */
const position = z.union([
  z.object({ list: z.string(), value: z.string().max(40), id: z.uuid() }),
  z.object({ list: z.string(), offset: z.number().int().min(0).max(100_000) }),
]);
type CursorPosition = z.infer<typeof position>;

/** Format of a cursor's value. It is exact, so that comparisons lose no precision. */
export type ValueKind = "time" | "count" | "score";
const valuePatterns: Record<ValueKind, RegExp> = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  count: /^-?\d{1,18}$/,
  score: /^(-Infinity|-?\d{1,20}(\.\d{1,20})?(e-?\d{1,2})?)$/,
};

export function encodeCursor(at: CursorPosition): string {
  return Buffer.from(JSON.stringify(at)).toString("base64url");
}

/**
 * @param list name of the list that the cursor must belong to.
 * @throws AppError invalid unless this server issued it for this list.
 */
export function decodeCursor(text: string, list: string, kind: ValueKind): CursorPosition {
  const at = parse(text);
  if (at !== null && at.list === list && (!("value" in at) || isValue(at.value, kind))) return at;
  throw new AppError("invalid", "The cursor isn't valid for this list.", {
    issues: [{ path: "cursor", message: "isn't valid for this list" }],
  });
}

function isValue(value: string, kind: ValueKind): boolean {
  if (!valuePatterns[kind].test(value)) return false;
  // JavaScript reads 30 February as 1 March. PostgreSQL rejects it, and also the year 0.
  return (
    kind !== "time" ||
    (isInstant(value) && new Date(value).toISOString().startsWith(value.slice(0, 19)))
  );
}

function parse(text: string): CursorPosition | null {
  try {
    return position.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    return null;
  }
}
