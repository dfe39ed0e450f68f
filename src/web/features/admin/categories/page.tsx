import { adminHandle } from "../shared/admin-handle.ts";
import { TaxonomyPage } from "../taxonomy/taxonomy-page.tsx";

export const handle = adminHandle("Categories");

export function Component() {
  return <TaxonomyPage kind="categories" />;
}
