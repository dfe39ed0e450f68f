import { expect, test } from "vitest";
import { hasErrno, translateDiskError } from "./disk-error.ts";

const errno = (code: string): Error => Object.assign(new Error(code), { code });

test("a full disk and a full quota become storage_full; other errors stay", () => {
  expect(translateDiskError(errno("ENOSPC"))).toMatchObject({ code: "storage_full" });
  expect(translateDiskError(errno("EDQUOT"))).toMatchObject({ code: "storage_full" });
  const other = errno("EIO");
  expect(translateDiskError(other)).toBe(other);
  expect(hasErrno(other, "ENOENT", "EIO")).toBe(true);
  expect(hasErrno("EIO", "EIO")).toBe(false);
});
