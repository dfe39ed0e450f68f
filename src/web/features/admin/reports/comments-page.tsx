import { adminHandle } from "../shared/admin-handle.ts";
import { ReportQueue } from "./report-queue.tsx";

export const handle = adminHandle("Comments");

/** Lists comments held for approval and reported comments. */
export function Component() {
  return <ReportQueue title="Comments" kind="comment" />;
}
