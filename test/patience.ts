/**
 * How long a browser test waits for a condition, in milliseconds. Only failing tests reach this
 * limit. It suits a machine that is several times slower than a developer's.
 */
export const patienceMs = 180_000;
