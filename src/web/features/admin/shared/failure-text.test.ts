import { expect, test } from "vitest";
import { ApiError } from "#web/lib/api/http.ts";
import { failureWithReason } from "./failure-text.ts";

test("returns the server's message, an unknown error, or a network error", () => {
  const refused = new ApiError(409, { message: "Taken already.", code: "conflict" });
  expect(failureWithReason("Failed to update video", refused)).toBe(
    "Failed to update video: Taken already.",
  );
  const mute = new ApiError(502, null);
  expect(failureWithReason("Upload failed", mute)).toBe("Upload failed: Unknown error");
  const offline = new TypeError("Failed to fetch");
  expect(failureWithReason("Upload failed", offline)).toBe("Upload failed: Network error");
  const late = new DOMException("late", "TimeoutError");
  expect(failureWithReason("Upload failed", late)).toBe("Upload failed: Network error");
  expect(failureWithReason("Upload failed", new Error("odd"))).toBe("Upload failed: Unknown error");
});
