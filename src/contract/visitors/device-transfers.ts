import { z } from "zod";

/** Maximum number of characters that a browser hands over. Enough for about a thousand videos. */
export const transferMax = 256 * 1024;
/** Number of calls per address and minute. */
export const transfersPerMinute = 10;

export const transferBody = z.object({ data: z.string().min(2).max(transferMax) });
export const transferCode = z.object({ code: z.string(), expiresAt: z.iso.datetime() });
export const claimBody = z.object({ code: z.string().min(1).max(100) });
export const claimedTransfer = z.object({ data: z.string() });
