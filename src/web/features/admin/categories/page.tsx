import { adminHandle } from "../shared/admin-handle.ts";
import { LabelPage } from "../labels/label-page.tsx";

export const handle = adminHandle("Categories");

export function Component() {
  return <LabelPage kind="categories" />;
}
