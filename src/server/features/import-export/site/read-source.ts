import { AppError } from "#server/lib/app-error.ts";
import { openSourceFiles, type FolderOptions, type SourceFiles } from "./source-files.ts";
import { isRefused, type ReaderOptions, type SourceEntry, type SourceItem } from "./source-item.ts";
import { findPeerTubeList, readPeerTube } from "./peertube.reader.ts";
import { readFolder } from "./folder.reader.ts";
import { readYtDlp } from "./yt-dlp.reader.ts";
import type { SourceFormat } from "#contract/videos/site-imports.ts";

const readers: Record<
  SourceFormat,
  (source: SourceFiles, options: ReaderOptions) => AsyncGenerator<SourceEntry>
> = { "yt-dlp": readYtDlp, peertube: readPeerTube, folder: readFolder };

/** Another site that has been read: its videos, and the files that can't be imported. */
export interface OpenSource {
  format: SourceFormat;
  files: SourceFiles;
  entries: SourceEntry[];
  close(): Promise<void>;
}

function detectFormat(files: SourceFiles): SourceFormat {
  if (findPeerTubeList(files) !== null) return "peertube";
  for (const path of files.files.keys()) if (path.endsWith(".info.json")) return "yt-dlp";
  return "folder";
}

/**
 * Reads a folder or zip archive. Of two videos with the same ID, the second is refused.
 * @param from format; null to detect it. @throws AppError if nothing there can be read.
 */
export async function openSource(
  path: string,
  {
    from,
    leavesOut = [],
    ...options
  }: ReaderOptions & Pick<FolderOptions, "leavesOut"> & { from: SourceFormat | null },
): Promise<OpenSource> {
  const files = await openSourceFiles(path, { leavesOut });
  try {
    const format = from ?? detectFormat(files);
    const entries: SourceEntry[] = [...files.refused];
    const seen = new Map<string, SourceItem>();
    for await (const entry of readers[format](files, options)) {
      const other = isRefused(entry) ? undefined : seen.get(keyOf(entry));
      if (isRefused(entry)) entries.push(entry);
      else if (other !== undefined) {
        entries.push({ path: entry.file, reason: `has the same ID as ${other.file}` });
      } else {
        seen.set(keyOf(entry), entry);
        entries.push(entry);
      }
    }
    if (entries.length === 0) throw new AppError("invalid", "No videos found.");
    return { format, files, entries, close: files.close };
  } catch (error) {
    await files.close();
    throw error;
  }
}

/** Returns the identity of a video: its platform and its ID there. */
export const keyOf = ({ source, sourceId }: Pick<SourceItem, "source" | "sourceId">): string =>
  `${source} ${sourceId}`;
