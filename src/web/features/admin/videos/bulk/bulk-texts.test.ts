import { expect, test } from "vitest";
import type { BulkJob } from "#contract/videos/admin-videos.ts";
import { bulkQuestion, bulkResult } from "./bulk-texts.ts";

test("asks with the number of videos", () => {
  expect(bulkQuestion({ kind: "delete" }, 1)).toBe(
    "Are you sure you want to delete 1 video? This action cannot be undone.",
  );
  expect(bulkQuestion({ kind: "add_labels", label: "tags", names: ["a"] }, 12)).toBe(
    "Add tags to 12 videos?",
  );
});

test("reports what was changed and what was left", () => {
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
  expect(bulkResult(job)).toBe("Done: 8 videos changed, 2 needed no change.");
  expect(bulkResult({ ...job, action: { kind: "reprocess" } })).toBe(
    "Queued: the renditions of 8 videos are made again, after all that is new.",
  );
  expect(bulkResult({ ...job, state: "cancelled", changed: 1 })).toBe(
    "Cancelled: 1 video changed, the rest was left alone.",
  );
});
