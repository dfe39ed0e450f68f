import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";

/** Creates a folder that is removed when the run ends. */
export const makeFolder = (name: string): string =>
  mkdtempSync(join(inject("testFolder"), `${name}-`));

/**
 * Creates an object before the tests of a file and releases it after them. Tests and hooks use the
 * returned object in its place.
 */
export function shared<T extends object>(
  create: () => Promise<T>,
  release: (created: T) => Promise<unknown> = async () => {},
): T {
  let created: T | undefined;
  const get = (): T => {
    if (created === undefined) throw new Error("Use this only in tests, and in hooks behind it.");
    return created;
  };
  beforeAll(async () => {
    created = await create();
  });
  afterAll(async () => {
    if (created !== undefined) await release(created);
  });
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(get(), key),
    set: (_, key, value) => Reflect.set(get(), key, value),
  });
}
