import { z } from "zod";

/**
 * Version that the user has seen. If another user has saved a change since then, nothing is stored
 * (409, `edit_conflict`). Without a version, the last change wins.
 */
export const editedVersion = z.number().int().optional();
