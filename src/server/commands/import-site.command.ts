import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { actorSources, sourceFormats } from "#contract/videos/site-imports.ts";
import type { Config } from "#server/config.ts";
import { byteOrderMark, csvLine } from "#server/lib/write-csv.ts";
import { UsageError, type Given } from "#server/lib/command-line.mjs";
import { OperatorError } from "#server/lib/app-error.ts";
import { ensureDataFolder } from "#server/lib/data-folder.ts";
import { createLogger } from "#server/lib/logger.ts";
import { say } from "#server/processes/say.ts";
import {
  describePlan,
  findShortage,
  type SiteImports,
  type SitePlan,
} from "#server/features/import-export/site/site-imports.service.ts";
import type { ImportChoices } from "#server/features/import-export/site/item-writer.ts";
import type { OpenSource } from "#server/features/import-export/site/read-source.ts";
import { isRefused, type SourceItem } from "#server/features/import-export/site/source-item.ts";
import { commandLine, type Command } from "./command.ts";

const shownLines = 50;
const printEveryMs = process.stdout.isTTY ? 200 : 5000;
const announceEveryMs = 5000;

export const importSite: Command = {
  name: "npm run admin -- import-site",
  summary:
    "Imports the videos of another site from a folder or zip archive, while the site runs or not.",
  args: ["FOLDER"],
  options: {
    from: { value: sourceFormats.join("|"), help: "the format, instead of detecting it" },
    "dry-run": { help: "only print what would happen" },
    publish: { help: "publish with the visibility of the source, instead of as drafts" },
    counts: { help: "take over views and likes; For You, Trending and Top Rated ignore them" },
    "actors-from": {
      value: actorSources.join("|"),
      help: "actors from the channel or from the people that a video lists",
    },
    link: { help: "link files on the same disk instead of copying them" },
    redirects: { value: "FILE", help: "CSV file of old addresses, with the columns from and to" },
    report: { value: "FILE", help: "where to write the report as CSV" },
  },
  examples: [
    "npm run admin -- import-site /mnt/archive --dry-run",
    "npm run admin -- import-site export.zip --publish --counts",
    "npm run admin -- import-site /mnt/videos --from folder",
  ],
  notes: [
    "The examples import a yt-dlp archive, a PeerTube export, and a plain folder, whose folders become categories.",
    "Run it again to continue or to add what is new. Ctrl C stops after the current file.",
    "The exit code is 1 if a file or a redirect was refused, the space is too small, or the import was stopped.",
  ],
  run,
};

interface Line {
  outcome: "new" | "added" | "known" | "refused" | "left";
  source: string;
  sourceId: string;
  path: string;
  title: string;
  note: string;
}

function choose<T extends string>(
  option: string,
  given: string | undefined,
  known: readonly T[],
): T | null {
  if (given === undefined) return null;
  const found = known.find((each) => each === given);
  if (found === undefined) throw new UsageError(`--${option}: use ${known.join(" or ")}.`);
  return found;
}

async function run(config: Config, given: Given): Promise<"failed" | void> {
  const { args, flags, values } = given;
  const [folder = ""] = args;
  const from = choose("from", values["from"], sourceFormats);
  const actorsFrom = choose("actors-from", values["actors-from"], actorSources);
  const choices: ImportChoices = {
    publishes: flags.has("publish"),
    counts: flags.has("counts"),
    links: flags.has("link"),
  };
  await ensureDataFolder(config.dataDir, { isProxied: config.accelRedirect !== null });
  // Imported here, because other commands don't need the whole application.
  const { createContext } = await import("#server/context.ts");
  const context = await createContext({
    // As a process without jobs: the site's worker makes the renditions.
    config: { ...config, role: "web", webProcesses: 1 },
    logger: createLogger("error"),
  });
  try {
    const { siteImports } = context;
    if (choices.links) await requireSameDisk(config, siteImports, folder);
    const source = await siteImports.open(resolve(folder), { from, actorsFrom });
    try {
      say(`Reading ${folder} as ${describeFormat(source)}.`);
      const plan = await siteImports.plan(source, choices);
      sayPlan(plan);
      const redirects = values["redirects"];
      // Read first, so that a map that can't be read is reported before anything is imported.
      const trial = await checkRedirects(siteImports, source, redirects);
      const isShort = findShortage(plan) !== null;
      const isTrial = flags.has("dry-run") || isShort;
      const { lines, isStopped } = isTrial
        ? { lines: linesOf(plan), isStopped: false }
        : await addAll(siteImports, source, { plan, choices });
      const problems = isTrial ? trial : await addRedirects(siteImports, redirects);
      const hasRefused = lines.some(({ outcome }) => outcome === "refused") || problems.length > 0;
      sayResult(lines, problems);
      await writeReport(config, values["report"], lines, problems);
      if (isStopped) say("Stopped. Run the command again to continue.");
      if (hasRefused || isStopped || isShort) return "failed";
    } finally {
      await source.close();
    }
  } finally {
    await context.stop(1000);
  }
}

const formatNames = {
  "yt-dlp": "a yt-dlp archive",
  peertube: "a PeerTube export",
  folder: "a plain folder",
};
const describeFormat = ({ format }: OpenSource): string => formatNames[format];

async function requireSameDisk(
  { dataDir }: Config,
  siteImports: SiteImports,
  folder: string,
): Promise<void> {
  siteImports.requireLinks();
  const [source, data] = await Promise.all([
    stat(folder).catch(() => null),
    stat(join(dataDir, "storage")).catch(() => stat(dataDir)),
  ]);
  if (source !== null && source.dev !== data.dev) {
    throw new OperatorError("--link: the folder is on another disk than DATA_DIR.");
  }
}

const toLine = (item: SourceItem, outcome: Line["outcome"], note: string): Line => ({
  outcome,
  source: item.source,
  sourceId: item.sourceId,
  path: item.file,
  title: item.title,
  note,
});

const linesOf = ({ entries }: SitePlan): Line[] =>
  entries.map(({ entry, outcome, note }) =>
    isRefused(entry)
      ? { outcome, source: "", sourceId: "", path: entry.path, title: "", note }
      : toLine(entry, outcome, note),
  );

function sayPlan(plan: SitePlan): void {
  const count = (outcome: string) => plan.entries.filter((each) => each.outcome === outcome).length;
  say(`${count("new")} new, ${count("known")} already here, ${count("refused")} refused.`);
  for (const line of describePlan(plan)) say(line);
}

/** Returns a line such as `12 of 200, 1 refused, about 3 min left: intro.mp4`. */
function describeProgress(
  lines: readonly Line[],
  { total, startedAt, next }: { total: number; startedAt: number; next: string },
): string {
  const refused = lines.filter(({ outcome }) => outcome === "refused").length;
  const perLine = (Date.now() - startedAt) / Math.max(1, lines.length);
  const minutes = Math.ceil((perLine * (total - lines.length)) / 60_000);
  const left = lines.length === 0 ? "" : `, about ${minutes} min left`;
  return `${lines.length} of ${total}${refused > 0 ? `, ${refused} refused` : ""}${left}: ${next}`;
}

async function addAll(
  siteImports: SiteImports,
  source: OpenSource,
  { plan, choices }: { plan: SitePlan; choices: ImportChoices },
): Promise<{ lines: Line[]; isStopped: boolean }> {
  const lines = linesOf({ ...plan, entries: plan.entries.filter((e) => e.outcome !== "new") });
  const added: Line[] = [];
  const waiting = plan.entries.flatMap(({ entry, outcome }) =>
    outcome === "new" && !isRefused(entry) ? [entry] : [],
  );
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    say("\nStopping after this file. Press Ctrl C again to stop at once.");
  };
  process.once("SIGINT", stop);
  const startedAt = Date.now();
  let [printedAt, announcedAt] = [0, startedAt];
  const { signal } = new AbortController();
  try {
    for (const item of waiting) {
      // Lets a signal arrive between files.
      await new Promise((done) => setImmediate(done));
      if (isStopped) {
        added.push(toLine(item, "left", ""));
        continue;
      }
      if (Date.now() - printedAt >= printEveryMs) {
        printedAt = Date.now();
        const text = describeProgress(added, { total: waiting.length, startedAt, next: item.file });
        if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${text.slice(0, 200)}`);
        else say(text);
      }
      added.push(
        await siteImports.add(source, item, { ...choices, actor: commandLine, signal }).then(
          ({ outcome, note }) => toLine(item, outcome, note),
          (error: unknown) => toLine(item, "refused", siteImports.explain(error, item.file)),
        ),
      );
      if (Date.now() - announcedAt < announceEveryMs) continue;
      announcedAt = Date.now();
      await siteImports.announce();
    }
  } finally {
    process.removeListener("SIGINT", stop);
    if (process.stdout.isTTY) process.stdout.write("\r\u001b[K");
  }
  await siteImports.announce();
  const series = isStopped ? 0 : await siteImports.addPlaylists(source, commandLine);
  if (series > 0) say(`Playlists that are series now or got new videos: ${series}.`);
  return { lines: [...lines, ...added], isStopped };
}

/** Says how many addresses of the map would lead to videos. Returns why others wouldn't. */
async function checkRedirects(
  siteImports: SiteImports,
  source: OpenSource,
  file: string | undefined,
): Promise<string[]> {
  if (file === undefined) return [];
  const { count, problems } = await siteImports.addRedirects(resolve(file), { trialFor: source });
  say(`Map of old addresses: ${count} valid, ${problems.length} refused.`);
  return problems;
}

async function addRedirects(siteImports: SiteImports, file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  const { count, problems } = await siteImports.addRedirects(resolve(file));
  say(`${count} old addresses lead to videos now.`);
  return problems;
}

function sayResult(lines: readonly Line[], problems: readonly string[]): void {
  const shown = lines.filter(({ outcome, note }) => outcome === "refused" || note !== "");
  for (const { outcome, path, note } of shown.slice(0, shownLines)) {
    say(`${outcome === "refused" ? "Refused" : "Note"}: ${path}: ${note}`);
  }
  if (shown.length > shownLines) say(`and ${shown.length - shownLines} more, see the report.`);
  for (const problem of problems.slice(0, shownLines)) say(`Refused: ${problem}`);
  const counts = (["added", "new", "known", "refused", "left"] as const).flatMap((outcome) => {
    const count = lines.filter((line) => line.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${outcomeNames[outcome]}`];
  });
  say(`${counts.join(", ")}.`);
}

const outcomeNames = {
  added: "added",
  new: "new",
  known: "already here",
  refused: "refused",
  left: "not imported yet",
};

async function writeReport(
  { dataDir }: Config,
  file: string | undefined,
  lines: readonly Line[],
  problems: readonly string[],
): Promise<void> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const path = file === undefined ? join(dataDir, "reports", `import-${stamp}.csv`) : resolve(file);
  const rows = [
    ["outcome", "source", "id", "file", "title", "note"],
    ...lines.map((line) => [
      ...[line.outcome, line.source, line.sourceId, line.path, line.title, line.note],
    ]),
    ...problems.map((problem) => ["refused", "redirects", "", "", "", problem]),
  ];
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, byteOrderMark + rows.map(csvLine).join(""));
  say(`Report: ${path}`);
}
