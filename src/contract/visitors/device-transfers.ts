import { z } from "zod";

/** Maximum number of characters that a browser hands over. Enough for about a thousand videos. */
export const transferMax = 256 * 1024;
/** Number of calls per address and minute. */
export const transfersPerMinute = 10;

/** 32 characters that look different from each other. Twelve of them encode 60 bits. */
export const transferLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const transferCodeLength = 12;

/** Returns a typed or scanned code without separators and with look-alikes replaced. */
export function normaliseTransferCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
}

export const transferBody = z.object({ data: z.string().min(2).max(transferMax) });
export const transferCode = z.object({ code: z.string(), expiresAt: z.iso.datetime() });
export const claimBody = z.object({ code: z.string().min(1).max(100) });
export const claimedTransfer = z.object({ data: z.string() });
