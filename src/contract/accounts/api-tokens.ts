import { z } from "zod";
import { actions, type Action } from "./policy.ts";

/** What a token may do at most; the role of its user bounds it too. Tokens manage no users. */
export const tokenScopes: readonly Action[] = actions.filter(
  (action) => action !== "people.manage" && action !== "owners.manage",
);

export const tokenDays = [7, 30, 90, 365] as const;

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
  name: z.string().trim().min(1, "Give a name").max(100, "A name has at most 100 characters"),
  scopes: z.array(z.enum(tokenScopes)).min(1, "Choose at least one right").max(tokenScopes.length),
  days: z.union(tokenDays.map((days) => z.literal(days))),
});
export type ApiTokenBody = z.infer<typeof apiTokenBody>;

/** The token is shown once and stored only as a hash. */
export const createdApiToken = z.object({ apiToken, token: z.string() });
export type CreatedApiToken = z.infer<typeof createdApiToken>;
