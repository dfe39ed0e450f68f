import { useQuery } from "@tanstack/react-query";
import { siteAudience, type StatisticsDays } from "#contract/lists/admin-statistics.ts";
import {
  CountriesAndDevices,
  CsvLinks,
  originNames,
  PlayShares,
  WatchedParts,
} from "../charts/audience.tsx";
import { adminCall } from "../shared/admin-api.ts";
import { Panel } from "./panel.tsx";

/** What visitors of the whole site watched, where plays came from, and CSV files of the statistics. */
export function AudiencePanel({ days }: { days: StatisticsDays }) {
  const { data } = useQuery({
    queryKey: ["admin", "statistics", "audience", days],
    queryFn: () => adminCall(`/api/admin/statistics/audience?days=${days}`, siteAudience),
  });
  if (data === undefined) return null;
  return (
    <Panel title="Audience">
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
    </Panel>
  );
}
