import type { Db } from "#server/db/connection.ts";
import { newId, newToken } from "#server/lib/ids.ts";
import { makeAd } from "../factories/make-ad.ts";
import { makeActor, makeCategory, makeTag } from "../factories/make-label.ts";
import { makeVideo, type VideoRow } from "../factories/make-video.ts";
import { createKnownValues, type KnownValues } from "./known-values.ts";

/** Creates visible and hidden rows. The hidden ones contain a marker that must never appear. */
export interface SeededSite {
  known: KnownValues;
  /** Texts and tokens that only admins may receive. */
  secrets: string[];
}

/** States of hidden videos. The caller knows their ids and some slugs, but not their texts. */
const hiddenStates: readonly Partial<
  Omit<VideoRow, "captions" | "chapters" | "loudness" | "sounds" | "translations">
>[] = [
  { is_published: false },
  { is_published: false, publish_at: new Date(Date.now() + 86_400_000) },
  { is_published: false, status: "processing", progress: 0.5 },
  { is_published: true, status: "processing" },
  { is_published: false, status: "failed" },
  { is_published: true, status: "failed" },
];

/** Fills an empty site. Each hidden text contains a different canary. */
export async function seedSite(db: Db): Promise<SeededSite> {
  const known = createKnownValues();
  const secrets: string[] = [];
  const canary = (what: string): string => {
    const text = `zqx${what}${newToken(6)
      .replaceAll(/[^a-z0-9]/gi, "q")
      .toLowerCase()}`;
    secrets.push(text);
    return text;
  };

  const shared = {
    categories: await makeCategory(db, { name: "Travel", description: "Shared by all" }),
    tags: await makeTag(db, { name: "night walk" }),
    actors: await makeActor(db, { name: "Zoë" }),
  };
  for (const [kind, { id, slug }] of Object.entries(shared)) {
    known.add(kind, id);
    known.add(kind, slug);
  }
  const labels = {
    categoryIds: [shared.categories.id],
    tagIds: [shared.tags.id],
    actorIds: [shared.actors.id],
  };
  for (const title of ["Harbour at dawn", "Music 4k", "東京 night walk"]) {
    const { id, slug, media_token } = await makeVideo(db, { title, description: title }, labels);
    known.add("videos", id);
    known.add("videos", slug);
    known.add("media", `media/v/${media_token}/480p.mp4`);
  }

  for (const [number, state] of hiddenStates.entries()) {
    const label = async (make: typeof makeTag, what: string) =>
      (
        await make(db, {
          name: canary(what),
          slug: canary(`${what}slug`),
          description: canary(what),
        })
      ).id;
    const video = await makeVideo(
      db,
      {
        ...state,
        title: canary("title"),
        slug: number % 2 === 0 ? `known-draft-${number}` : canary("slug"),
        description: canary("description"),
        failure_reason: state.status === "failed" ? canary("reason") : null,
        media_notices: [canary("notice")],
        views: 1000,
        trend: 1000,
      },
      {
        categoryIds: [await label(makeCategory, "category"), ...labels.categoryIds],
        tagIds: [await label(makeTag, "tag"), ...labels.tagIds],
        actorIds: [await label(makeActor, "actor"), ...labels.actorIds],
      },
    );
    secrets.push(video.media_token);
    known.add("videos", video.id);
    if (number % 2 === 0) known.add("videos", video.slug);
  }

  for (const placement of ["header", "feed", "sidebar"] as const) {
    const content = "<p>An ad</p><script>1</script>";
    known.add("ads", (await makeAd(db, { placement, content, trust: "page" })).id);
  }
  const video = { type: "video", placement: "preroll" } as const;
  known.add("ads", (await makeAd(db, { ...video, vast_tag_url: "http://127.0.0.1:1/x" })).id);
  for (const state of [
    { is_active: false },
    { starts_at: new Date(Date.now() + 86_400_000) },
    { ends_at: new Date(Date.now() - 86_400_000) },
  ]) {
    const texts = { title: canary("ad"), content: canary("content"), description: canary("text") };
    known.add("ads", (await makeAd(db, { ...state, ...texts })).id);
  }
  known.add("bulk", newId());
  return { known, secrets };
}
