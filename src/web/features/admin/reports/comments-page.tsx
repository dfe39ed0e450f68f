import { adminHandle } from "../shared/admin-handle.ts";
import { reportMessages as messages } from "./messages.ts";
import { ReportQueue } from "./report-queue.tsx";

export const handle = adminHandle(messages.comments);

/** Lists comments held for approval and reported comments. */
export function Component() {
  return <ReportQueue title={messages.comments} kind="comment" />;
}
