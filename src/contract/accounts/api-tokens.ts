import { z } from "zod";
import { nameText } from "../lists/names.input.ts";
import { actions, canBeScope, type Action } from "./policy.ts";

/** Actions that a token can allow. Its user's role also limits it. */
export const tokenScopes: readonly Action[] = actions.filter(canBeScope);

export const tokenDays = [7, 30, 90, 365] as const;
export const defaultTokenDays = 365;
/** Days before expiry from which the back office warns about a token. */
export const tokenNoticeDays = 14;

const apiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiToken = z.infer<typeof apiToken>;
export const apiTokens = z.array(apiToken);

export const apiTokenBody = z.object({
  name: nameText(100, "Enter a name", "The name can have at most 100 characters"),
  scopes: z
    .array(z.enum(tokenScopes))
    .min(1, "Choose at least one permission")
    .max(tokenScopes.length),
  days: z.union(tokenDays.map((days) => z.literal(days))).default(defaultTokenDays),
});
export type ApiTokenBody = z.infer<typeof apiTokenBody>;

/** Token of any user, as owners see it. */
const anyApiToken = apiToken.extend({ userEmail: z.string() });
export type AnyApiToken = z.infer<typeof anyApiToken>;
export const allApiTokens = z.array(anyApiToken);

/** The token is shown once and stored only as a hash. */
export const createdApiToken = z.object({ apiToken, token: z.string() });
export type CreatedApiToken = z.infer<typeof createdApiToken>;
