import type { AdminStats } from "#contract/lists/statistics.ts";
import { Skeleton } from "#web/components/ui/skeleton.tsx";

const tiles = [
  { key: "totalVideos", label: "Total Videos", href: "/admin/videos" },
  { key: "totalCategories", label: "Categories", href: "/admin/categories" },
  { key: "totalTags", label: "Tags", href: "/admin/tags" },
  { key: "totalActors", label: "Actors", href: "/admin/actors" },
  { key: "totalViews", label: "Views", href: "/admin/videos?sort=views" },
  { key: "totalLikes", label: "Likes", href: "/admin/videos?sort=likes" },
] as const;

/** Six totals. Each links to the list that it counts. */
export function Tiles({ stats }: { stats: AdminStats | undefined }) {
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
