import { isIP } from "node:net";
import { emailAddress } from "#contract/accounts/auth.ts";
import { siteOrigin } from "#contract/text-formats.ts";

/** Rule for the text of a variable. */
export interface Rule<T> {
  /** Accepted values, for the operator: "give ...". */
  accepts: string;
  /** Returns the value, or undefined if the text is rejected. */
  read: (text: string) => T | undefined;
  /** True to leave the text out of errors. */
  secret?: boolean;
}

const whole = /^\d{1,15}$/;

/** Accepts a whole number from `min` to `max`, both included. */
export const integer = (min: number, max: number): Rule<number> => ({
  accepts: `a whole number from ${min} to ${max}`,
  read: (text) => {
    const value = whole.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  },
});

export const oneOf = <const T extends string>(values: readonly T[]): Rule<T> => ({
  accepts: `one of ${values.join(", ")}`,
  read: (text) => values.find((value) => value === text),
});

export const matching = (
  accepts: string,
  test: (text: string) => boolean,
  secret = false,
): Rule<string> => ({
  accepts,
  read: (text) => (test(text) ? text : undefined),
  secret,
});

export const nonEmpty = (what: string, secret = false): Rule<string> =>
  matching(what, () => true, secret);

const onTexts = oneOf(["0", "1", "false", "true"]);

export const onOrOff: Rule<boolean> = {
  accepts: onTexts.accepts,
  read: (text) => {
    const value = onTexts.read(text);
    return value === undefined ? undefined : value === "1" || value === "true";
  },
};

/** Number from 0 to 1. */
export const share: Rule<number> = {
  accepts: "a number from 0 to 1",
  read: (text) => (/^(0|1|0?\.\d{1,9})$/.test(text) ? Number(text) : undefined),
};

export const email = matching("an email address", (text) => emailAddress.safeParse(text).success);

const isHttpUrl = (text: string): boolean =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? "") && URL.parse(text)?.hostname !== "";

export const httpUrl = matching("an http or https address", isHttpUrl);
/** Secret, because the address may contain a password or a token. */
export const secretHttpUrl = matching("an http or https address", isHttpUrl, true);

export const httpOrigin = matching(
  "an http or https address without a path",
  (text) => siteOrigin(text) !== null,
);

export const plainHttpUrl = matching("an http or https address without a query", (text) => {
  if (!isHttpUrl(text)) return false;
  const { search, hash, username } = new URL(text);
  return `${search}${hash}${username}` === "";
});

function isNetwork(text: string): boolean {
  const [address = "", bits, rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest !== undefined) return false;
  return bits === undefined || (whole.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Addresses and networks, separated by commas. */
export const networks: Rule<string[]> = {
  accepts: "IP addresses or networks such as 10.0.0.0/8, separated by commas",
  read: (text) => {
    const parts = text.split(",").map((part) => part.trim());
    return parts.every(isNetwork) ? parts : undefined;
  },
};

/** Networks whose clients may state their address. If everyone could, no limit would hold. */
export const proxies: Rule<string[]> = {
  accepts: `${networks.accepts}, but not all addresses (/0)`,
  read: (text) => {
    const parts = networks.read(text);
    return parts?.some((part) => /\/0+$/.test(part)) === true ? undefined : parts;
  },
};
