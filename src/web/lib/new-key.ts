/**
 * Returns a random key for a new item or request. `crypto.randomUUID` doesn't exist on pages opened
 * by plain http from another machine.
 */
export const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join("-");
