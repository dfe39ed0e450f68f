import type { Campaign } from "../../contract/campaigns.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { FilterFold } from "#web/features/admin/shared/filter-fold.tsx";
import type { ListParams } from "#web/features/admin/shared/list-params.ts";
import { SearchField } from "#web/features/admin/shared/search-field.tsx";
import { placementOptions, typeOptions } from "./messages.ts";

const activeOptions = [
  { value: "", label: "All statuses" },
  { value: "true", label: "Active" },
  { value: "false", label: "Inactive" },
] as const;

const filterNames = ["type", "placement", "campaign", "active"];

/** Filters for the ad list, stored in the URL. */
export function AdFilters({
  params,
  campaigns,
}: {
  params: ListParams;
  campaigns: readonly Pick<Campaign, "id" | "name">[];
}) {
  const choice = (
    name: string,
    label: string,
    options: readonly { value: string; label: string }[],
  ) => (
    <SelectField
      label={label}
      isLabelHidden
      options={options}
      value={params.get(name)}
      onChange={(event) => params.set({ [name]: event.target.value })}
      className="sm:max-w-52 max-sm:w-[calc(50%-0.25rem)]"
    />
  );
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <SearchField
        label="Search ads"
        placeholder="Search ads..."
        value={params.search}
        onValue={(search) => params.set({ search })}
        className="min-w-0 flex-1 sm:w-full sm:flex-none md:w-72"
      />
      <FilterFold activeCount={filterNames.filter((name) => params.get(name) !== "").length}>
        {choice("type", "Type", [{ value: "", label: "All types" }, ...typeOptions])}
        {choice("placement", "Placement", [
          { value: "", label: "All placements" },
          ...placementOptions,
        ])}
        {campaigns.length === 0
          ? null
          : choice("campaign", "Campaign", [
              { value: "", label: "All campaigns" },
              ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
            ])}
        {choice("active", "Active", activeOptions)}
      </FilterFold>
    </div>
  );
}
