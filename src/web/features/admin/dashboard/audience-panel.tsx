import { useQuery } from "@tanstack/react-query";
import {
  siteAudience,
  type SiteAudience,
  type StatisticsDays,
} from "#contract/lists/admin-statistics.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import {
  CountriesAndDevices,
  CsvLinks,
  originNames,
  PlayShares,
  WatchedParts,
} from "../charts/audience.tsx";
import { adminCall } from "../shared/admin-api.ts";
import { QueryError } from "../shared/admin-page.tsx";
import { Panel } from "./panel.tsx";

/** What visitors of the whole site watched, where plays came from, and CSV files of the statistics. */
export function AudiencePanel({ days }: { days: StatisticsDays }) {
  const read = useQuery({
    queryKey: ["admin", "statistics", "audience", days],
    queryFn: () => adminCall(`/api/admin/statistics/audience?days=${days}`, siteAudience),
  });
  return (
    <Panel title="Audience">
      {read.isLoadingError ? (
        <QueryError message="Failed to load the audience" query={read} />
      ) : read.data === undefined ? (
        <Skeleton className="h-60 w-full" />
      ) : (
        <Audience data={read.data} days={days} />
      )}
    </Panel>
  );
}

function Audience({ data, days }: { data: SiteAudience; days: StatisticsDays }) {
  return (
    <>
      <WatchedParts curve={data.curve} durationS={null} storyboardUrl={null} />
      <div className="grid gap-x-10 lg:grid-cols-2">
        <PlayShares
          id="origins"
          title="Where plays come from"
          hint={`Counted plays of the last ${days} days.`}
          rows={data.origins.map(({ origin, plays }) => ({ name: originNames[origin], plays }))}
        />
        <CountriesAndDevices countries={data.countries} devices={data.devices} />
      </div>
      <CsvLinks path={`/api/admin/statistics.csv?days=${days}`} name="site" />
    </>
  );
}
