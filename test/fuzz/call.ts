import type { Operation } from "./operations.ts";

/** Complete request. */
export interface Call {
  operation: Operation;
  method: string;
  /** Raw text of the request line, one character per byte. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Returns a shell command that repeats a call. */
export function toCurl(url: string, { method, path, headers, body }: Call): string {
  const quote = (text: string) => `$'${escapeBytes(Buffer.from(text, "latin1"))}'`;
  const parts = [
    "curl -i --path-as-is --globoff",
    method === "HEAD" ? "--head" : `-X ${method}`,
    ...Object.entries(headers).map(([name, value]) =>
      value === "" ? `-H ${quote(`${name};`)}` : `-H ${quote(`${name}: ${value}`)}`,
    ),
  ];
  if (body !== null) {
    // Shell arguments can't contain NUL.
    parts.push(
      body.includes(0)
        ? `--data-binary @<(printf '%s' ${body.toString("base64")} | base64 -d)`
        : `--data-binary $'${escapeBytes(body)}'`,
    );
  }
  return [...parts, quote(url + path)].join(" ");
}

const escapeBytes = (bytes: Buffer): string =>
  Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  ).join("");
