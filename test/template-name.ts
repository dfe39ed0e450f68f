/** Cloned by `createTestDatabase`. Nobody may connect to it: a clone needs its source unused. */
export const templateName = "kinora_template";
