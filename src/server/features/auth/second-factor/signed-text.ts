import type { KeyObject } from "node:crypto";
import type { Clock } from "#server/lib/clock.ts";
import { equalBytes, hmacSha256 } from "#server/lib/ids.ts";

/** A short text with an end and the site's signature, which needs no row until it is used. */
export interface SignedTexts {
  /** @param context what the signature also covers without being in the text. */
  sign(text: string, validMs: number, context?: string): string;
  /** The same with a fixed end, so that it can be made again. */
  signUntil(text: string, endMs: number, context?: string): string;
  /** The text, or null if it is forged, has expired or belongs to another context. */
  read(signed: string, context?: string): string | null;
}

/** @param purpose a text that was signed for one purpose is worth nothing for another. */
export function createSignedTexts(deps: {
  secret: KeyObject;
  clock: Clock;
  purpose: string;
}): SignedTexts {
  const { secret, clock, purpose } = deps;
  const signatureOf = (payload: string, context: string) =>
    hmacSha256(secret, JSON.stringify([purpose, payload, context])).subarray(0, 18);
  function signUntil(text: string, endMs: number, context = ""): string {
    const payload = `${text}.${endMs.toString(36)}`;
    return `${payload}.${signatureOf(payload, context).toString("base64url")}`;
  }
  return {
    signUntil,
    sign: (text, validMs, context) => signUntil(text, clock.now() + validMs, context),
    read(signed, context = "") {
      const [text = "", end = "", signature = ""] = signed.split(".");
      const given = Buffer.from(signature, "base64url");
      if (!equalBytes(given, signatureOf(`${text}.${end}`, context))) return null;
      return Number.parseInt(end, 36) > clock.now() ? text : null;
    },
  };
}
