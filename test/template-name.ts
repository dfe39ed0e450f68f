/** Cloned by `createTestDatabase`. No client may connect to it: a clone needs an unused source. */
export const templateName = "kinora_template";
