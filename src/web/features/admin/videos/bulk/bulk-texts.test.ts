import { expect, test } from "vitest";
import type { BulkJob } from "#contract/videos/admin-videos.ts";
import { bulkQuestion, bulkResult } from "./bulk-texts.ts";

test("includes the number of videos in the question", () => {
  expect(bulkQuestion({ kind: "delete" }, 1)).toBe(
    "Are you sure you want to delete 1 video? This action cannot be undone.",
  );
  expect(bulkQuestion({ kind: "add_labels", label: "tags", names: ["a"] }, 12)).toBe(
    "Add tags to 12 videos?",
  );
});

test("reports changed and unchanged videos", () => {
  const job: BulkJob = {
    id: "0",
    action: { kind: "publish" },
    state: "done",
    total: 10,
    done: 10,
    changed: 8,
    failureReason: null,
    createdAt: "",
    createdBy: "",
  };
  expect(bulkResult(job)).toBe("Done: 8 videos changed, 2 already up to date.");
  expect(bulkResult({ ...job, action: { kind: "add_labels", label: "tags", names: ["a"] } })).toBe(
    "Done: 8 videos changed, 2 already up to date or at the limit of 50 tags.",
  );
  expect(bulkResult({ ...job, action: { kind: "reprocess" } })).toBe(
    "Queued 8 videos for reprocessing, after new uploads.",
  );
  expect(bulkResult({ ...job, state: "cancelled", changed: 1 })).toBe(
    "Cancelled: 1 video changed. All others are unchanged.",
  );
});
