import type { LibraryData } from "#web/lib/visitor-library/library-data.ts";
import { addToDevice, parseDevice, readDevice, type DeviceData } from "./device-data.ts";

/** Maximum file size. Browsers can't store this much, so no exported file is rejected. */
export const libraryFileMaxBytes = 16 * 1024 * 1024;

type ImportedList = keyof DeviceData;

export type ImportResult =
  | { problem: "fileTooLarge" | "fileUnread" | "fileUnknown" | "fileEmpty" }
  | {
      problem: null;
      /** Number of new entries for each list that has some. */
      added: readonly [list: ImportedList, count: number][];
      /** Number of entries that are invalid or don't fit because a list is full. */
      leftOutCount: number;
      /** False if the browser's storage is full. The data then lasts until the page is closed. */
      isStored: boolean;
    };

const listOf = (fields: unknown, name: string): readonly unknown[] => {
  const list: unknown = typeof fields === "object" && fields !== null && Reflect.get(fields, name);
  return Array.isArray(list) ? list : [];
};

const lists = ["history", "later", "follows", "playlists", "resume"] as const;

/** Counts playlists and their videos. */
function countEntries(fields: unknown): number {
  const playlists = listOf(fields, "playlists");
  const videoCount = playlists.reduce<number>((sum, one) => sum + listOf(one, "videos").length, 0);
  return lists.reduce((sum, name) => sum + listOf(fields, name).length, videoCount);
}

function keysOf({ history, later, follows, playlists }: LibraryData): string[] {
  return [
    ...history.map(({ slug }) => `history ${slug}`),
    ...later.map(({ slug }) => `later ${slug}`),
    ...follows.map(({ kind, slug }) => `${kind} ${slug}`),
    ...playlists.flatMap(({ id, videos }) => [id, ...videos.map(({ slug }) => `${id} ${slug}`)]),
  ];
}

/** Counts playlists that are new or have become longer. */
function countGrown(before: DeviceData, after: DeviceData): number {
  const lengths = new Map(before.playlists.map(({ id, videos }) => [id, videos.length]));
  return after.playlists.filter(({ id, videos }) => lengths.get(id) !== videos.length).length;
}

/** Adds the content of an exported file to this browser without removing anything. */
export async function importFile(file: Pick<File, "size" | "text">): Promise<ImportResult> {
  if (file.size > libraryFileMaxBytes) return { problem: "fileTooLarge" };
  let text: string;
  try {
    text = await file.text();
  } catch {
    return { problem: "fileUnread" };
  }
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    return { problem: "fileUnknown" };
  }
  const isLibrary =
    typeof fields === "object" &&
    fields !== null &&
    lists.some((name) => Array.isArray(Reflect.get(fields, name)));
  if (!isLibrary) return { problem: "fileUnknown" };
  const entryCount = countEntries(fields);
  if (entryCount === 0) return { problem: "fileEmpty" };

  const data = parseDevice(text);
  const understoodCount = countEntries(data);
  if (understoodCount === 0) return { problem: "fileUnknown" };
  const before = readDevice();
  const isStored = addToDevice(data);
  const after = readDevice();
  const kept = new Set(keysOf(after));
  const tooMany = new Set(keysOf(data).filter((key) => !kept.has(key)));
  const added = lists.map((name): [ImportedList, number] => [
    name,
    name === "playlists" ? countGrown(before, after) : after[name].length - before[name].length,
  ]);
  return {
    problem: null,
    added: added.filter(([, count]) => count > 0),
    leftOutCount: entryCount - understoodCount + tooMany.size,
    isStored,
  };
}
