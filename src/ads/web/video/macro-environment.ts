import type { MacroEnvironment } from "../../contract/vast-macros.ts";
import { readConsent } from "#web/lib/consent.ts";

/** API of a consent platform (IAB TCF 2.2), provided by an ad or the operator. */
type TcfApi = (
  command: string,
  version: 2,
  callback: (data: unknown, isOk: boolean) => void,
) => void;

let known: { api: unknown; text: string | undefined } | null = null;

/**
 * Returns the consent string of a platform, which can change. The platform calls back immediately
 * if it has one.
 */
function tcfString(): string | undefined {
  const api: unknown = Reflect.get(window, "__tcfapi");
  if (typeof api !== "function") return undefined;
  if (known?.api === api) return known.text;
  const own: { api: unknown; text: string | undefined } = { api, text: undefined };
  known = own;
  const callApi = api as TcfApi;
  callApi("addEventListener", 2, (data, isOk) => {
    const text: unknown =
      isOk && typeof data === "object" && data !== null && "tcString" in data ? data.tcString : "";
    own.text = typeof text === "string" && text !== "" ? text : undefined;
  });
  return own.text;
}

/**
 * Returns the consent that ads receive: a platform's string, or else 1 or 0. Undefined before a
 * choice.
 */
export function consentForAds(): string | undefined {
  const consent = readConsent();
  return tcfString() ?? (consent === null ? undefined : consent === "yes" ? "1" : "0");
}

export const macroEnvironment: MacroEnvironment = {
  random: Math.random,
  date: () => new Date(),
  consent: consentForAds,
};
