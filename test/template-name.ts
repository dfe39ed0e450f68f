/**
 * Database that `createTestDatabase` clones. No client may connect to it, because cloning requires
 * an unused source.
 */
export const templateName = "kinora_template";
