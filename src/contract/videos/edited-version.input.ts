import { z } from "zod";

/**
 * The version that the user has seen. Where another user saved since, nothing is stored (409,
 * `edit_conflict`). Without it the last one wins.
 */
export const editedVersion = z.number().int().optional();
