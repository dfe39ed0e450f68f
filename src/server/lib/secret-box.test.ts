import { createSecretKey, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox } from "./secret-box.ts";

const secret = createSecretKey(randomBytes(32));
const plain = Buffer.from("twenty bytes of it..");

test("opens a secret only for its owner and only if no byte has changed", () => {
  const box = createSecretBox(secret, ["key"]);
  const sealed = box.seal(plain, "a");
  expect(sealed.includes(plain)).toBe(false);
  expect(box.open(sealed, "a")).toEqual({ plain, isCurrent: true });
  expect(box.open(sealed, "b")).toBeNull();
  for (const at of [0, 15, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(box.open(changed, "a")).toBeNull();
  }
  expect(box.open(plain, "a")).toBeNull();
});

test("opens a secret with a former key but not with the site's secret alone", () => {
  const sealed = createSecretBox(secret, ["old"]).seal(plain, "a");
  expect(createSecretBox(secret, ["new", "old"]).open(sealed, "a")).toEqual({
    plain,
    isCurrent: false,
  });
  expect(createSecretBox(secret, [null]).open(sealed, "a")).toBeNull();
  const other = createSecretKey(randomBytes(32));
  expect(createSecretBox(other, ["old"]).open(sealed, "a")).toBeNull();
});
