/** Part of a body selected by a `Range` header (RFC 9110, 14.2). Both ends are included. */
type RequestedRange =
  | { kind: "whole" }
  | { kind: "part"; start: number; end: number }
  | { kind: "unsatisfiable" };

/**
 * Parses a `Range` header. Several ranges, other units and malformed headers select the whole body,
 * as the standard allows.
 */
export function readRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const match = header === undefined ? null : /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (match === null) return { kind: "whole" };
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return { kind: "whole" };
  if (first === "") {
    const suffix = Number(last);
    if (suffix === 0 || sizeBytes === 0) return { kind: "unsatisfiable" };
    return { kind: "part", start: Math.max(0, sizeBytes - suffix), end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return { kind: "whole" };
  if (start >= sizeBytes) return { kind: "unsatisfiable" };
  return { kind: "part", start, end };
}
