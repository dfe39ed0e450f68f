import { createReadStream } from "node:fs";
import { availableParallelism } from "node:os";
import type { ActorsFrom, SourceFormat } from "#contract/videos/site-imports.ts";
import type { Config } from "#server/config.ts";
import { isDatabaseUnreachable, type Db } from "#server/db/connection.ts";
import type { Actor } from "#server/features/audit/audit.service.ts";
import { AppError, hasCode, OperatorError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Logger } from "#server/lib/logger.ts";
import type { Media } from "#server/media/media.ts";
import { estimateLadderS } from "#server/media/plan/estimate.ts";
import type { SiteStorage } from "#server/storage/site-storage.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { IngestService } from "#server/features/uploads/ingest.service.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import { describeSpan } from "#contract/videos/reprocessing-words.ts";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { readCsv } from "../read-csv.ts";
import { createItemWriter, type ImportChoices } from "./item-writer.ts";
import { canonicalAddress, type OldAddresses } from "./old-addresses.ts";
import { keyOf, openSource, type OpenSource } from "./read-source.ts";
import * as repository from "./site-imports.repository.ts";
import { isRefused, type SourceEntry, type SourceItem } from "./source-item.ts";

interface PlannedEntry {
  entry: SourceEntry;
  outcome: "new" | "known" | "refused";
  /** Why it is refused, or what was repaired. */
  note: string;
}

/** Imported video of a playlist. */
interface Member extends Pick<SourceItem, "publishedAt"> {
  place: number;
  id: string;
  isPlaced: boolean;
}

/** What an import would do. */
export interface SitePlan {
  entries: PlannedEntry[];
  /** Size of the new files, and the space that they and their renditions take. */
  newBytes: number;
  neededBytes: number;
  /** Null if the storage doesn't know. */
  freeBytes: number | null;
  /** Time to make the renditions, estimated. */
  processingS: number;
  /** True if the estimate is based on what this machine has processed. */
  isMeasured: boolean;
}

/** Assumed for files whose description contains neither. */
const usual = { height: 720, bytesPerS: 300_000 };
const listedAtOnce = 500;

/** Imports the videos of another site from a folder or an archive. */
export function createSiteImports(deps: {
  config: Config;
  db: Db;
  clock: Clock;
  logger: Logger;
  storage: SiteStorage;
  media: Media;
  videos: VideosService;
  captions: CaptionsService;
  ingest: IngestService;
  labels: LabelsService;
  changed: PublishChanges;
  addresses: OldAddresses;
}) {
  const { db, clock, logger, storage, addresses, labels, changed } = deps;
  const { add, spaceFor, findObstacle } = createItemWriter(deps);

  /** Returns which videos of a source were imported, by their identity there. */
  async function listKnown(
    items: readonly SourceItem[],
  ): Promise<Map<string, Awaited<ReturnType<typeof repository.listOrigins>>[number]>> {
    const known = new Map<string, Awaited<ReturnType<typeof repository.listOrigins>>[number]>();
    for (let at = 0; at < items.length; at += listedAtOnce) {
      const origins = await repository.listOrigins(db, items.slice(at, at + listedAtOnce));
      for (const origin of origins) if (origin.isComplete) known.set(keyOf(origin), origin);
    }
    return known;
  }

  /** Makes all processes read the old addresses again. */
  const announce = () => addresses.announce();

  return {
    /** Reads a folder or zip archive. Close it after use. @throws AppError. */
    open: (
      path: string,
      options: {
        from: SourceFormat | null;
        actorsFrom: ActorsFrom | null;
        leavesOut?: readonly string[];
      },
    ): Promise<OpenSource> => openSource(path, { ...options, now: clock.date() }),

    /** Determines what an import would do, without changing anything. */
    async plan(source: OpenSource, choices: ImportChoices): Promise<SitePlan> {
      const items = source.entries.flatMap((entry) => (isRefused(entry) ? [] : [entry]));
      const known = await listKnown(items);
      const freeBytes = await storage.findFreeBytes();
      const perPixel = await repository.measureProcessing(db);
      const plan: SitePlan = {
        ...{ entries: [], newBytes: 0, neededBytes: 0, freeBytes },
        ...{ processingS: 0, isMeasured: perPixel !== null },
      };
      for (const entry of source.entries) {
        if (isRefused(entry)) {
          plan.entries.push({ entry, outcome: "refused", note: entry.reason });
          continue;
        }
        const isKnown = known.has(keyOf(entry));
        const obstacle = isKnown ? null : findObstacle(entry, choices, freeBytes);
        const outcome = isKnown ? "known" : obstacle === null ? "new" : "refused";
        const repairs = isKnown ? "" : entry.notes.join("; ");
        plan.entries.push({ entry, outcome, note: obstacle?.message ?? repairs });
        if (outcome !== "new") continue;
        plan.newBytes += entry.sizeBytes;
        plan.neededBytes += spaceFor(entry, choices);
        plan.processingS += estimateS(entry, perPixel);
      }
      return plan;
    },

    add,

    /**
     * Makes tags that are series of the source's playlists. A series that exists already only gets
     * videos that weren't placed yet, at its end, so that the operator's order and removals stay.
     * Call it once everything is imported, because a series starts in the order of its playlist. May
     * be repeated after a crash.
     * @returns the number of series that got videos.
     */
    async addPlaylists(source: Pick<OpenSource, "entries">, actor: Actor): Promise<number> {
      const items = source.entries.flatMap((entry) =>
        isRefused(entry) || entry.playlists.length === 0 ? [] : [entry],
      );
      const known = await listKnown(items);
      const lists = new Map<string, Member[]>();
      const unplaced = new Set<string>();
      for (const item of items) {
        const origin = known.get(keyOf(item));
        if (origin?.exists !== true) continue;
        const { videoId: id, isPlaced } = origin;
        if (!isPlaced) unplaced.add(id);
        for (const { name, place } of item.playlists) {
          const member = { place, publishedAt: item.publishedAt, id, isPlaced };
          lists.set(name, [...(lists.get(name) ?? []), member]);
        }
      }
      let count = 0;
      for (const [name, members] of lists) {
        const found = await labels.findIdByName("tags", name);
        const tag =
          found === null
            ? await labels.create("tags", { name }, actor)
            : await labels.get("tags", found, true);
        const isOld = found !== null && tag.isSeries;
        const ids = inOrder(members).flatMap(({ id, isPlaced }) => (isOld && isPlaced ? [] : [id]));
        if (ids.length === 0) continue;
        await db.transaction().execute((trx) => labels.series.append(trx, "tags", tag.id, ids));
        count += 1;
      }
      // Only now, because a video may be in several playlists. Appending it again changes nothing.
      await repository.placeOrigins(db, [...unplaced]);
      if (count > 0) await changed("everything");
      return count;
    },

    /**
     * Returns why adding a video failed, as one line for a report. @throws the error if the import
     * can't continue.
     */
    explain(error: unknown, name: string): string {
      if (isDatabaseUnreachable(error)) throw error;
      if (error instanceof AppError && error.code !== "internal") return error.message;
      logger.error({ err: error, name }, "couldn't import a video");
      return "Unexpected error. See the server log.";
    },

    /**
     * Adds the old addresses of a CSV file with the columns `from` and `to`: an address, and the
     * slug or ID of a video here or its ID on the other site.
     * @param trialFor only checks the addresses, for a source that hasn't been imported yet.
     * @returns the number of addresses, and why others were refused, one line each.
     * @throws AppError for a file that can't be read.
     */
    async addRedirects(
      path: string,
      { trialFor }: { trialFor?: Pick<OpenSource, "entries"> } = {},
    ): Promise<{ count: number; problems: string[] }> {
      const coming = new Set(trialFor?.entries.flatMap((entry) => idsOf(entry)));
      const places = new Map<string, string>();
      const problems: string[] = [];
      let count = 0;
      const findProblems = async (from: string, to: string): Promise<string[]> => {
        const target = to === "" ? null : await repository.findTarget(db, to);
        if (target === null && !coming.has(to)) return [`${from}: there is no video "${to}"`];
        if (trialFor === undefined) return target === null ? [] : addresses.add(target, [from]);
        const address = canonicalAddress(from) ?? from;
        const other = places.get(address) ?? to;
        places.set(address, other);
        return other === to
          ? addresses.check(target, [from])
          : [`${address}: already leads to ${other}`];
      };
      for await (const { line, cells } of readRedirects(path)) {
        const [from = "", to = ""] = cells.map((cell) => cell.trim());
        if (line === 1 && /^(from|old)$/i.test(from)) continue;
        const found = await findProblems(from, to);
        if (found.length === 0) count += 1;
        problems.push(...found.map((problem) => `line ${line}: ${problem}`));
      }
      if (trialFor === undefined) await announce();
      return { count, problems };
    },

    /** Returns the video that was imported from this place, and when. Null without one. */
    findImported: (origin: Pick<SourceItem, "source" | "sourceId">) =>
      repository.findImported(db, origin),

    /** Returns which platform a video came from, and its ID there. Null for an upload. */
    findOrigin: (videoId: string) => repository.findOrigin(db, videoId),

    /** @throws OperatorError if files can't be linked into the storage. */
    requireLinks(): void {
      if (storage.currentKind() === "disk") return;
      throw new OperatorError("--link: the media of this site are in object storage.");
    },

    announce,
  };
}

export type SiteImports = ReturnType<typeof createSiteImports>;

/** Sorts by date if places repeat, because yt-dlp counts from 1 in each run. */
function inOrder(members: readonly Member[]): Member[] {
  const byPlace = members.toSorted((a, b) => a.place - b.place);
  if (new Set(members.map(({ place }) => place)).size === members.length) return byPlace;
  const timeOf = ({ publishedAt }: Member) => publishedAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return byPlace.toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** Returns the names under which a map of redirects can mean a video of the source. */
const idsOf = (entry: SourceEntry): string[] =>
  isRefused(entry) ? [] : [entry.sourceId, entry.sourceId.replace(/ \(\d+ bytes\)$/, "")];

async function* readRedirects(path: string): ReturnType<typeof readCsv> {
  try {
    yield* readCsv(createReadStream(path, { encoding: "utf8" }));
  } catch (error) {
    if (!hasCode(error, "ENOENT", "EACCES", "EISDIR")) throw error;
    throw new AppError("not_found", `${path}: the map of redirects can't be read.`, {
      cause: error,
    });
  }
}

/** Returns why a source doesn't fit on this site as a whole, or null. */
export function findShortage({ neededBytes, freeBytes }: SitePlan): string | null {
  if (freeBytes === null || neededBytes <= freeBytes) return null;
  const [needed, free] = [neededBytes, freeBytes].map(formatFileSize);
  return `Nothing was imported, because the source needs ${needed} with renditions and only ${free} is free. Free up space, or import in parts.`;
}

/** Describes in sentences what an import takes. */
export function describePlan(plan: SitePlan): string[] {
  if (plan.newBytes === 0) return [];
  const free = plan.freeBytes === null ? "" : ` Free: ${formatFileSize(plan.freeBytes)}.`;
  const basis = plan.isMeasured
    ? "at the speed measured on this site"
    : "estimated, because this site hasn't processed enough videos yet";
  const shortage = findShortage(plan);
  return [
    `${formatFileSize(plan.newBytes)} to import, about ${formatFileSize(plan.neededBytes)} with renditions.${free}`,
    `Processing takes ${describeSpan(plan.processingS)} (${basis}). It runs in the background.`,
    ...(shortage === null ? [] : [shortage]),
  ];
}

/** Returns the time to make the renditions of a video, on all processors. */
function estimateS(item: SourceItem, perMegapixel: number | null): number {
  const durationS = item.durationS ?? item.sizeBytes / usual.bytesPerS;
  const height = item.height ?? usual.height;
  const width = Math.round((height * 16) / 9);
  if (perMegapixel !== null) return (durationS * width * height * perMegapixel) / 1e6;
  return estimateLadderS({ width, height, durationS }) / availableParallelism();
}
