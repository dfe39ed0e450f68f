import { adminHandle } from "../shared/admin-handle.ts";
import { LabelPage } from "../labels/label-page.tsx";

export const handle = adminHandle("Tags");

export function Component() {
  return <LabelPage kind="tags" />;
}
