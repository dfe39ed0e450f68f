import { expect, test } from "vitest";
import { ApiError } from "#web/lib/api/http.ts";
import { failureText } from "./failure-text.ts";

test("returns the server's message, an unknown error, or a network error", () => {
  const refused = new ApiError(409, { message: "Taken already.", code: "conflict" });
  expect(failureText("Failed to update video", refused)).toBe(
    "Failed to update video: Taken already.",
  );
  const mute = new ApiError(502, null);
  expect(failureText("Upload failed", mute)).toBe("Upload failed: Unknown error");
  const offline = new TypeError("Failed to fetch");
  expect(failureText("Upload failed", offline)).toBe("Upload failed: Network error");
  const late = new DOMException("late", "TimeoutError");
  expect(failureText("Upload failed", late)).toBe("Upload failed: Network error");
  expect(failureText("Upload failed", new Error("odd"))).toBe("Upload failed: Unknown error");
});
