import type { SiteAudience, WatchedCurve } from "#contract/lists/admin-statistics.ts";
import type { PlayDevice, PlayOrigin } from "#contract/videos/play-origins.ts";
import { minCurvePlays } from "#contract/videos/watched-bins.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { DownloadLink } from "../shared/file-button.tsx";
import { WatchedChart } from "./watched-chart.tsx";

export const originNames: Record<PlayOrigin, string> = {
  feed: "For You feed",
  lists: "Video lists",
  search: "Search",
  related: "Other videos",
  library: "Visitor's library",
  referral: "Referral links",
  external: "Other sites",
  embed: "Embedded player",
  direct: "Direct",
};

const deviceNames: Record<PlayDevice, string> = {
  phone: "Phone",
  tablet: "Tablet",
  desktop: "Desktop",
  tv: "TV",
};

const shownCountries = 10;
const countryNames = new Intl.DisplayNames("en", { type: "region" });

/** Curves of what was watched and replayed, once enough plays are counted. */
export function WatchedParts(props: {
  curve: WatchedCurve;
  durationS: number | null;
  storyboardUrl: string | null;
}) {
  const { curve, durationS, storyboardUrl } = props;
  return (
    <section aria-labelledby="watched-parts">
      <h3 id="watched-parts" className="mt-6 font-medium">
        What was watched
      </h3>
      <p className="mb-2 text-ink-11">
        {curve.parts === null
          ? `The curves appear after ${minCurvePlays} counted plays. So far there ${
              curve.plays === 1 ? "is" : "are"
            } ${curve.plays}.`
          : `Based on ${countOf(curve.plays, "play")}. Plays of visitors who opted out of measurements aren't included.`}
      </p>
      {curve.parts === null ? null : (
        <WatchedChart parts={curve.parts} durationS={durationS} storyboardUrl={storyboardUrl} />
      )}
    </section>
  );
}

/** Shares of plays by name, with the number of plays. */
export function PlayShares({
  id,
  title,
  hint,
  rows,
}: {
  id: string;
  title: string;
  hint: string;
  rows: readonly { name: string; plays: number }[];
}) {
  const plays = rows.reduce((sum, row) => sum + row.plays, 0);
  if (plays === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mt-6 font-medium">
        {title}
      </h3>
      <p className="mb-2 text-ink-11">{hint}</p>
      <ol className="grid max-w-xl gap-1.5">
        {rows.map((row) => (
          <Share
            key={row.name}
            name={row.name}
            label={row.name}
            share={row.plays / plays}
            className="grid-cols-[9rem_1fr_3rem]"
          />
        ))}
      </ol>
    </section>
  );
}

export function Share(props: { name: string; label: string; share: number; className: string }) {
  const percent = Math.round(props.share * 100);
  return (
    <li className={`tabular grid items-center gap-3 ${props.className}`}>
      <span className="text-ink-11">{props.name}</span>
      <progress className="meter w-full!" max={100} value={percent} aria-label={props.label} />
      <span className="text-end">{percent}%</span>
    </li>
  );
}

/** Countries and devices of plays. Only the most frequent countries have a row of their own. */
export function CountriesAndDevices({
  countries,
  devices,
}: Pick<SiteAudience, "countries" | "devices">) {
  const others = countries.slice(shownCountries).reduce((sum, { plays }) => sum + plays, 0);
  const total = (rows: readonly { plays: number }[]) =>
    countOf(
      rows.reduce((sum, { plays }) => sum + plays, 0),
      "counted play",
    );
  return (
    <>
      <PlayShares
        id="devices"
        title="Devices"
        hint={`${total(devices)}. Tablets that ask for desktop pages count as desktops.`}
        rows={devices.map(({ device, plays }) => ({ name: deviceNames[device], plays }))}
      />
      <PlayShares
        id="countries"
        title="Countries"
        hint={`${total(countries)}, as your proxy reports them.`}
        rows={[
          ...countries
            .slice(0, shownCountries)
            .map(({ name, plays }) => ({ name: countryNames.of(name) ?? name, plays })),
          ...(others > 0 ? [{ name: "Other countries", plays: others }] : []),
        ]}
      />
    </>
  );
}

/** Links that download the tables of statistics as CSV. */
export function CsvLinks({ path, name }: { path: string; name: string }) {
  const tables = { curve: "watched parts", sources: "sources", days: "days" };
  return (
    <p className="mt-6 flex flex-wrap items-center gap-2">
      {Object.entries(tables).map(([table, label]) => (
        <DownloadLink
          key={table}
          href={`${path}${path.includes("?") ? "&" : "?"}table=${table}`}
          download={`${name}-${table}.csv`}
          className={buttonClass({})}
        >
          CSV: {label}
        </DownloadLink>
      ))}
    </p>
  );
}
