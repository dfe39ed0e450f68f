import type { KeyObject } from "node:crypto";
import type { Clock } from "#server/lib/clock.ts";
import { equalBytes, hmacSha256 } from "#server/lib/ids.ts";

/** @param purpose a text signed for one purpose can't be used for another. */
export function createSignedTexts(deps: { secret: KeyObject; clock: Clock; purpose: string }) {
  const { secret, clock, purpose } = deps;
  // Links contain the text. 19 bytes never end in `-` or `_`, like the tokens of `newLinkToken`.
  const signatureOf = (payload: string, context: string) =>
    hmacSha256(secret, JSON.stringify([purpose, payload, context])).subarray(0, 19);
  /** Signs with a fixed expiry, so that the same text can be created again. */
  function signUntil(text: string, endMs: number, context = ""): string {
    const payload = `${text}.${endMs.toString(36)}`;
    return `${payload}.${signatureOf(payload, context).toString("base64url")}`;
  }
  return {
    signUntil,
    /** @param context is covered by the signature but not part of the text. */
    sign: (text: string, validMs: number, context?: string): string =>
      signUntil(text, clock.now() + validMs, context),
    /** Returns the text, or null if it is forged, expired or from another context. */
    read(signed: string, context: string = ""): string | null {
      const [text = "", end = "", signature = ""] = signed.split(".");
      const given = Buffer.from(signature, "base64url");
      if (!equalBytes(given, signatureOf(`${text}.${end}`, context))) return null;
      return Number.parseInt(end, 36) > clock.now() ? text : null;
    },
  };
}
