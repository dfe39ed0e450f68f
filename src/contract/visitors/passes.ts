import { z } from "zod";
import { emailAddress } from "../accounts/auth.ts";
import { optionalText } from "../lists/names.input.ts";
import { pageQuery, queryText } from "../lists/paging.ts";

/** Premium is only a badge, or keeps a video for members. */
export const premiumAccesses = ["badge", "members"] as const;
export type PremiumAccess = (typeof premiumAccesses)[number];

export const passLimits = {
  devices: 10,
  defaultDevices: 3,
  days: 3660,
  batch: 500,
  /** Codes that one address may try in a minute. */
  triesPerMinute: 10,
} as const;

const terms = {
  note: optionalText(200).optional(),
  validUntil: z.iso.datetime({ error: "must be a time such as 2027-05-03T12:00:00Z" }).optional(),
  days: z
    .number({ error: "must be a whole number of days" })
    .int("must be a whole number of days")
    .min(1, "at least 1 day")
    .max(passLimits.days, `at most ${passLimits.days} days`)
    .optional(),
  devices: z
    .number({ error: "must be a whole number" })
    .int("must be a whole number")
    .min(1, "at least 1 device")
    .max(passLimits.devices, `at most ${passLimits.devices} devices`)
    .optional(),
};
const email = z
  .union([z.literal("").transform(() => null), emailAddress])
  .nullable()
  .optional();

const hasOneEnd = ({ validUntil, days }: { validUntil?: unknown; days?: unknown }): boolean =>
  (validUntil === undefined) !== (days === undefined);
const oneEnd = { error: "Enter either validUntil or days", path: ["days"] };

/** Body of a new pass. `reference` is the shop's own, such as an order number. */
export const passBody = z
  .object({ ...terms, email, reference: optionalText(200).optional() })
  .refine(hasOneEnd, oneEnd);
export type PassBody = z.infer<typeof passBody>;

/** Body of several passes with the same terms. */
export const passBatchBody = z
  .object({
    ...terms,
    count: z
      .number({ error: "must be a whole number" })
      .int("must be a whole number")
      .min(1, "at least 1 pass")
      .max(passLimits.batch, `at most ${passLimits.batch} passes`),
  })
  .refine(hasOneEnd, oneEnd);
export type PassBatchBody = z.infer<typeof passBatchBody>;

/** Body of PUT. `days` adds days to the end of the pass, or to now if it has ended. */
export const passPatch = z
  .object({ ...terms, email })
  .refine(({ validUntil, days }) => validUntil === undefined || days === undefined, oneEnd);
export type PassPatch = z.infer<typeof passPatch>;

const passStates = ["active", "expired", "revoked"] as const;

const pass = z.object({
  id: z.uuid(),
  state: z.enum(passStates),
  note: z.string().nullable(),
  email: z.string().nullable(),
  reference: z.string().nullable(),
  validUntil: z.iso.datetime(),
  maxDevices: z.number().int(),
  /** Number of devices that use the pass. */
  devices: z.number().int(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type Pass = z.infer<typeof pass>;

/** Pass with its secret. `link` contains `code`, which can also be typed. */
export const passWithLink = pass.extend({ code: z.string(), link: z.string() });
export type PassWithLink = z.infer<typeof passWithLink>;
export const passBatch = z.object({ passes: z.array(passWithLink) });

export const passQuery = pageQuery.extend({
  search: queryText(),
  /** Exact reference, which at most one pass has. */
  reference: queryText(),
  state: z.enum(passStates).optional(),
});
export type PassQuery = z.infer<typeof passQuery>;

export const passList = z.object({ passes: z.array(pass), total: z.number().int() });
export type PassList = z.infer<typeof passList>;

/** Device that uses a pass. */
export interface PassDevice {
  id: string;
  name: string;
  lastUsedAt: Date;
}

/** Pass as its holder sees it. */
export interface OpenedPass {
  id: string;
  state: Pass["state"];
  validUntil: Date;
  maxDevices: number;
  devices: PassDevice[];
  /** Device of the request, if it uses this pass. */
  ownDeviceId: string | null;
  /** Device that has to make room for the device of the request. */
  replaced: PassDevice | null;
}

/** What the page `/pass` shows. Only the server renders it. */
export interface PassView {
  /** Pass of the typed code, or else the one that this device uses. */
  pass: OpenedPass | null;
  /** Typed code; null if the page shows the device's own pass. */
  code: string | null;
  /** Why the typed code isn't accepted. */
  problem: "unknown" | "limited" | null;
  /** Page to return to. */
  next: string;
}
