import { labelKinds } from "#contract/lists/labels.ts";
import { titleFromName } from "#contract/videos/file-title.ts";
import { importFields } from "#contract/videos/imports.ts";
import { videoUpdate, type Video, type VideoUpdate } from "#contract/videos/videos.ts";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid } from "#server/lib/ids.ts";
import { cleanTranslations } from "#server/features/videos/translations.ts";
import type { VideoChangesService } from "#server/features/videos/video-changes.service.ts";
import type { CreatePipeline } from "#server/features/videos/query/pipeline.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { CheckedOrigins, MediaImport, MediaSource } from "../media/media-import.ts";
import { cellOf, changesOf, readValues, type CsvFormat, type Fields } from "./csv-format.ts";
import { listVideoIdsAfter } from "./video-ids.repository.ts";

const types = {
  title: "text",
  description: "optional",
  categories: "list",
  tags: "list",
  actors: "list",
  isPublished: "boolean",
  visibility: "word",
  isPremium: "boolean",
  isSensitive: "boolean",
  embedding: "word",
  blockedCountries: "list",
  translations: "json",
} as const;

const facts = [
  "status",
  "duration",
  "width",
  "height",
  "views",
  "likes",
  "sizeBytes",
  "createdAt",
  "publishedAt",
  "publishAt",
] as const;

const asAdmin = { isAdmin: true };

/** Returns a video under the field names of an import. */
function present(video: Video) {
  return {
    ...video,
    isSensitive: video.isSensitive === true,
    embedding: video.embedding ?? "site",
    translations: video.translations === undefined ? "" : cleanTranslations(video.translations),
    categories: video.categories.map(({ category }) => category.name),
    tags: video.tags.map(({ tag }) => tag.name),
    actors: video.actors.map(({ actor }) => actor.name),
    // Used only for new videos. Exports leave these columns empty, ready to be filled in.
    file: "",
    address: "",
  };
}

/**
 * Videos. Rows match videos by id or slug. Other rows create a video from a file in the import
 * folder or at an address.
 */
export function createVideosCsv(deps: {
  db: Db;
  videos: VideosService;
  createPipeline: CreatePipeline;
  changes: VideoChangesService;
  media: MediaImport;
}): CsvFormat {
  const { db, videos, changes, media } = deps;
  const listByIds = deps.createPipeline({
    skeleton: async (ids: string[]) => ({ ids }),
    present: (list) => list,
  });
  const columns = [...importFields.videos, ...facts];

  async function find(fields: Fields, targetId: string): Promise<Video | null> {
    const id = fields["id"]?.trim() ?? "";
    const slug = fields["slug"]?.trim().toLowerCase().normalize("NFC") ?? "";
    return (
      (isUuid(id) ? await videos.find(id) : null) ??
      (slug === "" || isUuid(slug) ? null : await videos.find(slug)) ??
      (await videos.find(targetId))
    );
  }

  async function planNew(
    fields: Fields,
    patch: VideoUpdate,
    { targetId, checked }: { targetId: string; checked: CheckedOrigins },
  ) {
    const source = await findSource(fields, media, checked);
    const title = patch.title ?? (titleFromName(source.name).slice(0, 200) || source.name);
    const { isPublished, visibility, isSensitive, embedding, blockedCountries } = patch;
    const { translations } = patch;
    const switches = { isPublished, visibility, isSensitive, embedding, blockedCountries };
    return {
      outcome: "created" as const,
      key: patch.slug ?? null,
      async apply({ actor, signal }: Parameters<MediaImport["create"]>[2]) {
        const about = {
          slug: patch.slug,
          title,
          description: patch.description ?? null,
          isPremium: patch.isPremium ?? false,
          labels: {
            categories: patch.categories ?? [],
            tags: patch.tags ?? [],
            actors: patch.actors ?? [],
          },
        };
        await media.create(source, { id: targetId, ...about }, { actor, signal });
        await changes.update(targetId, { ...switches, translations }, actor);
      },
    };
  }

  return {
    columns,

    async *rows() {
      let after: string | null = null;
      for (;;) {
        const ids: string[] = await listVideoIdsAfter(db, after);
        after = ids.at(-1) ?? null;
        if (after === null) return;
        for (const video of await listByIds(ids, asAdmin)) {
          const item = present(video);
          yield columns.map((name) => cellOf(item[name]));
        }
      }
    },

    async begin() {
      const checked: CheckedOrigins = new Map();
      return async (fields, targetId) => {
        const current = await find(fields, targetId);
        const isNew = current === null;
        // If a file has no titles, file names become titles.
        const hasTitle = !isNew || (fields["title"]?.trim() ?? "") !== "";
        const given: Fields = hasTitle ? { ...fields } : { ...fields, title: undefined };
        if (current !== null) {
          const labels = present(current);
          // Unchanged labels aren't validated, because older versions allowed more of them.
          for (const kind of labelKinds) {
            if (given[kind] === cellOf(labels[kind])) given[kind] = undefined;
          }
        }
        const patch = readValues(videoUpdate, isNew ? { ...types, slug: "word" } : types, given);
        if (isNew) return planNew(fields, patch, { targetId, checked });
        const edits = changesOf(
          patch.translations === undefined
            ? patch
            : { ...patch, translations: cleanTranslations(patch.translations) },
          { ...present(current), translations: cleanTranslations(current.translations ?? {}) },
        );
        return {
          outcome: Object.keys(edits).length === 0 ? "unchanged" : "updated",
          key: current.id,
          apply: async ({ actor }) => void (await changes.update(current.id, edits, actor)),
        };
      };
    },
  };
}

async function findSource(
  fields: Fields,
  media: MediaImport,
  checked: CheckedOrigins,
): Promise<MediaSource> {
  const file = fields["file"]?.trim() ?? "";
  const address = fields["address"]?.trim() ?? "";
  if (file !== "" && address !== "") {
    throw new AppError("invalid", "Enter a file or a URL, not both");
  }
  if (file !== "") return media.findFile(file);
  if (address !== "") return media.findAddress(address, checked);
  throw new AppError(
    "not_found",
    "No video matches this ID or slug. A new video needs a file from the import folder or a URL",
  );
}
