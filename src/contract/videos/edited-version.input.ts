import { z } from "zod";

/**
 * Version that the user has seen. If another user has saved since, nothing is stored (409,
 * `edit_conflict`). Without it the last change wins.
 */
export const editedVersion = z.number().int().optional();
