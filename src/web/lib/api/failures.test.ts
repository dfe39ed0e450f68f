import { expect, test } from "vitest";
import { ApiError } from "./http.ts";
import { issueOf } from "./failures.ts";

test("returns the issue of one field", () => {
  const issues = [{ path: "title", message: "Title is required" }];
  const error = new ApiError(400, { message: "no", code: "invalid", issues });
  expect(issueOf(error, "title")).toBe("Title is required");
  expect(issueOf(error, "name")).toBeNull();
});
