import { useQuery } from "@tanstack/react-query";
import { statisticsDays } from "#contract/lists/admin-statistics.ts";
import type { AdminStats } from "#contract/lists/statistics.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { useListParams } from "../shared/list-params.ts";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { totalsQuery } from "./calls.ts";
import { AudiencePanel } from "./audience-panel.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { SystemPanels } from "./system.tsx";
import { RangeSwitch, Trends } from "./trends.tsx";
import { RecentVideos, TopVideos } from "./video-lists.tsx";

const tiles = [
  { key: "totalVideos", label: "Total Videos", href: "/admin/videos" },
  { key: "totalCategories", label: "Categories", href: "/admin/categories" },
  { key: "totalTags", label: "Tags", href: "/admin/tags" },
  { key: "totalActors", label: "Actors", href: "/admin/actors" },
  { key: "totalViews", label: "Views", href: "/admin/videos?sort=views" },
  { key: "totalLikes", label: "Likes", href: "/admin/videos?sort=likes" },
] as const;

/** Six totals. Each links to the list that it counts. */
function Tiles({ stats }: { stats: AdminStats | undefined }) {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
      {tiles.map(({ key, label, href }) => (
        <li key={key}>
          <a
            href={href}
            className="block rounded-md bg-ink-2 px-4 py-3.5 transition-colors hover:bg-ink-3"
          >
            <span className="block text-ink-11">{label}</span>
            {stats === undefined ? (
              <Skeleton className="mt-1 h-7 w-20" />
            ) : (
              <span className="tabular mt-1 block text-lg font-semibold break-words">
                {stats[key].toLocaleString()}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

export const handle = adminHandle("Dashboard");

export function Component() {
  const totals = useQuery(totalsQuery);
  const params = useListParams();
  const days = statisticsDays.find((choice) => String(choice) === params.get("days")) ?? 30;

  return (
    <>
      <PageHeader title="Dashboard">
        <RangeSwitch
          days={days}
          onDays={(next) => params.set({ days: next === 30 ? null : String(next) })}
        />
      </PageHeader>
      <div className="grid grid-cols-1 gap-4">
        {totals.isLoadingError ? (
          <QueryError
            className="rounded-lg bg-ink-2"
            message="Failed to load dashboard stats"
            query={totals}
          />
        ) : (
          <Tiles stats={totals.data} />
        )}
        <FirstSteps />
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_23rem]">
          <div className="min-w-0">
            <Trends days={days} />
          </div>
          <div className="grid grid-cols-1 gap-4 md:max-xl:grid-cols-2">
            <SystemPanels />
          </div>
        </div>
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          {totals.isLoadingError ? null : <RecentVideos videos={totals.data?.recentVideos} />}
          <TopVideos days={days} />
        </div>
        <AudiencePanel days={days} />
      </div>
    </>
  );
}
