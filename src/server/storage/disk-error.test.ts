import { expect, test } from "vitest";
import { hasCode } from "#server/lib/app-error.ts";
import { translateDiskError } from "./disk-error.ts";

const errno = (code: string): Error => Object.assign(new Error(code), { code });

test("converts a full disk and a full quota to storage_full, but no other errors", () => {
  expect(translateDiskError(errno("ENOSPC"))).toMatchObject({ code: "storage_full" });
  expect(translateDiskError(errno("EDQUOT"))).toMatchObject({ code: "storage_full" });
  const other = errno("EIO");
  expect(translateDiskError(other)).toBe(other);
  expect(hasCode(other, "ENOENT", "EIO")).toBe(true);
  expect(hasCode("EIO", "EIO")).toBe(false);
});
