import { z } from "zod";
import type { Visibility } from "#contract/videos/videos.ts";
import { cleanLanguage } from "#server/lib/track-language.ts";
import { readSmall, type SourceFiles } from "./source-files.ts";
import {
  cleanItem,
  type SourceCaption,
  type ReaderOptions,
  type SourceEntry,
} from "./source-item.ts";
import { createSidecars, isStreamOfVideo, isVideoFile, streamReason } from "./sidecars.ts";

const suffix = ".info.json";
/** Info files may contain thousands of comments. */
const maxInfoBytes = 256 * 1024 * 1024;
const adultAge = 18;
/** Extractors for sites that yt-dlp doesn't know. Their ID is the last segment of the URL's path. */
const genericPlatforms = new Set(["generic", "html5", "html5mediaembed"]);

const text = z.string().nullish().catch(null);
const number = z.number().nullish().catch(null);
const texts = z.array(z.string()).nullish().catch(null);
const byLanguage = z
  .record(z.string(), z.array(z.object({ name: text })).catch([]))
  .nullish()
  .catch(null);

/** The part of an info file that is used. A field of an unexpected type counts as missing. */
const info = z
  .object({
    _type: text,
    id: z.union([z.string().min(1), z.number().transform(String)]),
    extractor: text,
    extractor_key: text,
    webpage_url: text,
    original_url: text,
    title: text,
    fulltitle: text,
    description: text,
    upload_date: text,
    timestamp: number,
    release_timestamp: number,
    tags: texts,
    categories: texts,
    cast: texts,
    chapters: z
      .array(z.object({ start_time: z.number(), title: z.string().nullish() }))
      .nullish()
      .catch(null),
    playlist: text,
    playlist_title: text,
    playlist_index: number,
    view_count: number,
    like_count: number,
    age_limit: number,
    channel: text,
    uploader: text,
    availability: text,
    duration: number,
    height: number,
    ext: text,
    subtitles: byLanguage,
    automatic_captions: byLanguage,
  })
  .transform(({ _type: kind, ...rest }) => ({ ...rest, kind }));
type Info = z.infer<typeof info>;

/** Reads the archive of a download program: `NAME.ext` with `NAME.info.json`. */
export async function* readYtDlp(
  source: SourceFiles,
  { actorsFrom, now }: ReaderOptions,
): AsyncGenerator<SourceEntry> {
  const sidecars = createSidecars(source.files);
  const used = new Set<string>();
  for (const path of [...source.files.keys()].toSorted()) {
    if (!path.endsWith(suffix)) continue;
    const base = path.slice(0, -suffix.length);
    const read = await readInfo(source, path);
    if ("reason" in read) {
      for (const file of sidecars.videos(base)) used.add(file.path);
      yield { path, reason: read.reason };
      continue;
    }
    // A playlist has an info file without a video.
    if (read.kind === "playlist" || read.kind === "multi_video") continue;
    const videos = sidecars.videos(base);
    const file = videos.find((each) => each.path.endsWith(`.${read.ext ?? ""}`)) ?? videos[0];
    if (file === undefined) {
      yield { path, reason: "its video file is missing" };
      continue;
    }
    for (const each of videos) used.add(each.path);
    const channel = read.channel ?? read.uploader;
    const cast = actorsFrom === "cast" ? (read.cast ?? []) : [];
    const playlist = read.playlist_title ?? read.playlist;
    const notes: string[] = [];
    const platform = (read.extractor_key ?? read.extractor ?? "yt-dlp").toLowerCase();
    const url = read.webpage_url ?? read.original_url ?? "";
    yield cleanItem(
      {
        source: platform,
        sourceId: genericPlatforms.has(platform) && url !== "" ? `${read.id} (${url})` : read.id,
        file: file.path,
        sizeBytes: file.sizeBytes,
        durationS: read.duration,
        height: read.height,
        title: read.fulltitle ?? read.title,
        description: read.description,
        publishedAt: dateOf(read),
        visibility: visibilityOf(read, notes),
        isSensitive: isForAdults(read),
        labels: {
          tags: read.tags ?? [],
          categories: read.categories ?? [],
          actors: actorsFrom === "channel" && channel != null ? [channel] : cast,
        },
        chapters: (read.chapters ?? []).map(({ start_time: startS, title }) => ({
          startS,
          title: title ?? "",
        })),
        captions: captionsOf(sidecars.captions(base, keyOfCaptions), read, notes),
        thumbnail: sidecars.picture(base),
        views: read.view_count,
        likes: read.like_count,
        oldAddresses: url === "" ? [] : [url],
        playlists:
          playlist == null || playlist === "NA"
            ? []
            : [{ name: playlist, place: read.playlist_index ?? 0 }],
        notes,
      },
      now,
    );
  }
  for (const path of source.files.keys()) {
    if (!isVideoFile(path) || used.has(path)) continue;
    yield {
      path,
      reason: isStreamOfVideo(path) ? streamReason : `there is no ${suffix} file beside it`,
    };
  }
}

async function readInfo(source: SourceFiles, path: string): Promise<Info | { reason: string }> {
  try {
    const parsed = info.safeParse(
      JSON.parse((await readSmall(source, path, maxInfoBytes)).toString()),
    );
    return parsed.success ? parsed.data : { reason: "it doesn't describe a video" };
  } catch (error) {
    return { reason: error instanceof SyntaxError ? "not valid JSON" : String(error) };
  }
}

function dateOf(read: Info): Date | null {
  const stamp = read.release_timestamp ?? read.timestamp;
  if (stamp != null) return new Date(stamp * 1000);
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(read.upload_date ?? "");
  return day === null ? null : new Date(`${day[1]}-${day[2]}-${day[3]}T12:00:00Z`);
}

const isForAdults = ({ age_limit: age }: Info): boolean => (age ?? 0) >= adultAge;

function visibilityOf(read: Info, notes: string[]): Visibility {
  const { availability } = read;
  if (availability === "needs_auth" && isForAdults(read)) {
    notes.push("age-restricted at the source, so its visibility is unknown");
    return "unlisted";
  }
  if (availability == null || availability === "public") return "public";
  return availability === "unlisted" ? "unlisted" : "private";
}

/** Reads any name without a dot as the key of captions, which may be no language. */
const keyOfCaptions = (suffix: string) =>
  suffix.includes(".") ? null : { language: suffix, kind: null, isForced: false, isDefault: false };

/** ID of captions to which their creator gave a name, as in `en-nP7-2PuUl7o`. */
const captionId = /-[\w-]{11}$/;

/**
 * Returns uploaded captions, those with a name last, then automatic ones in the language that is
 * spoken, and then automatic translations, because a video can't have all of them. Captions are
 * automatic if the source only had automatic ones under their name.
 */
function captionsOf(
  found: readonly { path: string; language: string }[],
  { subtitles, automatic_captions: automatic }: Info,
  notes: string[],
): SourceCaption[] {
  const ranked = found.map(({ path, language: key }) => {
    const isOriginal = key.endsWith("-orig");
    const isAutomatic =
      isOriginal || (Object.hasOwn(automatic ?? {}, key) && !Object.hasOwn(subtitles ?? {}, key));
    const language = key.replace(/-orig$/, "").replace(captionId, "");
    if (!["", "und"].includes(language) && cleanLanguage(language) === "und")
      notes.push(`captions ${key} have no valid language`);
    const isNamed = captionId.test(key);
    const name = isNamed ? (subtitles?.[key]?.[0]?.name ?? undefined) : undefined;
    const rank = isOriginal ? 2 : isAutomatic ? 3 : isNamed ? 1 : 0;
    return { rank, caption: { path, language, name, isAutomatic } };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ caption }) => caption);
}
