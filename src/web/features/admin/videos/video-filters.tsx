import { useQuery } from "@tanstack/react-query";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { labelListQuery } from "../shared/label-names-field.tsx";
import type { ListParams } from "../shared/list-params.ts";
import { SearchField, FilterFold } from "../shared/search-field.tsx";
import { visibilityNames } from "./visibility-dialog.tsx";

const states = [
  { value: "", label: "All statuses" },
  { value: "published", label: "Published" },
  { value: "draft", label: "Draft" },
  { value: "scheduled", label: "Scheduled" },
  { value: "processing", label: "Processing" },
  { value: "failed", label: "Failed" },
] as const;

const visibilities = [
  { value: "", label: "Any visibility" },
  { value: "public", label: visibilityNames.public },
  { value: "unlisted", label: visibilityNames.unlisted },
  { value: "private", label: visibilityNames.private },
] as const;

const premiums = [
  { value: "", label: "Premium and free" },
  { value: "true", label: "Premium" },
  { value: "false", label: "Free" },
] as const;

const sorts = [
  { value: "", label: "Newest first" },
  { value: "-created", label: "Oldest first" },
  { value: "views", label: "Most viewed" },
  { value: "likes", label: "Most liked" },
  { value: "-title", label: "Title A to Z" },
  { value: "duration", label: "Longest" },
  { value: "size", label: "Largest" },
] as const;

const filterNames = ["state", "visibility", "premium", "category", "tag", "actor"] as const;

/** Search, filters and order, stored in the URL. */
export function VideoFilters({ params }: { params: ListParams }) {
  const categories = useQuery(labelListQuery("categories"));
  const chosen = params.get("category");
  const categoryOptions = [
    { value: "", label: "All categories" },
    ...(categories.data ?? []).map(({ slug, name }) => ({ value: slug, label: name })),
  ];
  // The URL may contain a label that isn't in the list.
  if (!categoryOptions.some(({ value }) => value === chosen)) {
    categoryOptions.push({ value: chosen, label: chosen });
  }
  const activeCount = filterNames.filter((name) => params.get(name) !== "").length;
  const order = params.get("sort");

  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField
        label="Search videos"
        placeholder="Search videos..."
        value={params.search}
        onValue={(search) => params.set({ search })}
        className="min-w-0 flex-1 sm:w-full sm:flex-none md:w-72"
      />
      <FilterFold activeCount={activeCount}>
        <SelectField
          label="Status"
          isLabelHidden
          options={states}
          value={params.get("state")}
          onChange={(event) => params.set({ state: event.target.value })}
          className="max-sm:w-[calc(50%-0.25rem)]"
        />
        <SelectField
          label="Visibility"
          isLabelHidden
          options={visibilities}
          value={params.get("visibility")}
          onChange={(event) => params.set({ visibility: event.target.value })}
          className="max-sm:w-[calc(50%-0.25rem)]"
        />
        <SelectField
          label="Premium"
          isLabelHidden
          options={premiums}
          value={params.get("premium")}
          onChange={(event) => params.set({ premium: event.target.value })}
          className="max-sm:w-[calc(50%-0.25rem)]"
        />
        <SelectField
          label="Category"
          isLabelHidden
          options={categoryOptions}
          value={chosen}
          onChange={(event) => params.set({ category: event.target.value })}
          className="sm:max-w-52 max-sm:w-[calc(50%-0.25rem)]"
        />
        <SelectField
          label="Order"
          isLabelHidden
          options={
            sorts.some(({ value }) => value === order)
              ? sorts
              : [...sorts, { value: order, label: "By column" }]
          }
          value={order}
          onChange={(event) => params.set({ sort: event.target.value })}
          className="max-sm:w-[calc(50%-0.25rem)]"
        />
        {activeCount > 0 ? (
          <Button
            kind="ghost"
            onClick={() => params.set(Object.fromEntries(filterNames.map((name) => [name, null])))}
          >
            Clear filters
          </Button>
        ) : null}
      </FilterFold>
    </div>
  );
}
