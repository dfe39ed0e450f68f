import { adminHandle } from "../shared/admin-handle.ts";
import { reportMessages as messages } from "./messages.ts";
import { ReportQueue } from "./report-queue.tsx";

export const handle = adminHandle(messages.title);

export function Component() {
  return <ReportQueue title={messages.title} />;
}
