import { z } from "zod";
import { AppError } from "../../lib/app-error.ts";

/**
 * The place after the last item of a page: the value that the list is sorted by and the id that ends
 * ties; or, for lists by relevance, how many came before. Opaque to clients.
 */
const place = z.union([
  z.object({ list: z.string(), value: z.string().max(40), id: z.uuid() }),
  z.object({ list: z.string(), offset: z.number().int().min(0).max(100_000) }),
]);
export type Place = z.infer<typeof place>;

/** How the value of a cursor is written: exactly, so that comparing it loses nothing. */
export type ValueKind = "time" | "count" | "score";
const valuePatterns: Record<ValueKind, RegExp> = {
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  count: /^-?\d{1,18}$/,
  score: /^(-Infinity|-?\d{1,20}(\.\d{1,20})?(e-?\d{1,2})?)$/,
};

export function encodeCursor(at: Place): string {
  return Buffer.from(JSON.stringify(at)).toString("base64url");
}

/**
 * @param list the name of the list that the cursor must belong to.
 * @throws AppError invalid where it is not one of ours or belongs to another list.
 */
export function decodeCursor(text: string, list: string, kind: ValueKind): Place {
  const at = parse(text);
  if (at !== null && at.list === list && (!("value" in at) || isValue(at.value, kind))) return at;
  throw new AppError("invalid", "The cursor is not valid for this list.", {
    issues: [{ path: "cursor", message: "is not valid for this list" }],
  });
}

function isValue(value: string, kind: ValueKind): boolean {
  if (!valuePatterns[kind].test(value)) return false;
  return kind !== "time" || !Number.isNaN(Date.parse(value));
}

function parse(text: string): Place | null {
  try {
    return place.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    return null;
  }
}
