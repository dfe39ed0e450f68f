import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";
import { newId, newToken } from "#server/lib/ids.ts";
import { makeActor, makeCategory, makeTag } from "../factories/make-label.ts";
import { createRandom, type Random } from "./random.ts";
import type { PlainVideo } from "./plain-lists.ts";

const hourMs = 3_600_000;
const words =
  "amber brook cedar delta ember fjord grove haven inlet jetty knoll larch meadow north ocean prairie quarry ridge stone tundra".split(
    " ",
  );

export interface RandomCatalogue {
  videos: PlainVideo[];
  labelIds: Map<string, string>;
}

/**
 * Creates random videos in the database and in memory. There are many ties, labels on half of the
 * videos down to none, an archive of old videos without recent views, and drafts, unfinished,
 * unlisted and private videos.
 */
export async function makeRandomCatalogue(
  db: Db,
  options: { count: number; seed: number; now: number },
): Promise<RandomCatalogue> {
  const random = createRandom(options.seed);
  const labelIds = new Map<string, string>();
  for (const name of ["half", "archive", "some", "few", "void"])
    labelIds.set(name, (await makeCategory(db, { name })).id);
  for (const name of ["Common Tag", "Ocean Life", "Rare Tag"])
    labelIds.set(name, (await makeTag(db, { name })).id);
  for (const name of ["Amber Stone", "Single Actor"])
    labelIds.set(name, (await makeActor(db, { name })).id);

  const videos = Array.from({ length: options.count }, (_, number) =>
    randomVideo(random, number, options.now),
  );
  for (let at = 0; at < videos.length; at += 250) {
    await insert(db, videos.slice(at, at + 250), labelIds);
  }
  return { videos, labelIds };
}

function randomVideo(random: Random, number: number, now: number): PlainVideo {
  const isArchive = random.next() < 0.3;
  const isPublished = random.next() < 0.93;
  const isReady = random.next() < 0.97;
  const createdAt = now - hourMs * (isArchive ? 5000 + random.below(200) : random.below(400));
  const isWatched = isPublished && isReady && !isArchive && random.next() < 0.7;
  const hours: PlainVideo["hours"] = new Map();
  for (let n = isWatched ? random.below(6) : 0; n > 0; n -= 1) {
    // Many values are in the hours at the ends of the windows.
    const back = random.pick([
      0,
      1,
      2,
      22,
      23,
      24,
      25,
      166,
      167,
      168,
      169,
      718,
      719,
      720,
      721,
      random.below(900),
    ]);
    const hour = now - (now % hourMs) - back * hourMs;
    hours.set(hour, { views: random.below(4), completed: random.below(3), likes: random.below(2) });
  }
  return {
    id: newId(createdAt),
    title:
      Array.from({ length: 1 + random.below(4) }, () => random.pick(words)).join(" ") +
      (random.next() < 0.2 ? ` ${number}` : ""),
    description:
      random.next() < 0.5 ? "" : `About ${random.pick(words)} and ${random.pick(words)}s.`,
    isPublished,
    isReady,
    visibility: number % 23 === 5 ? "unlisted" : number % 31 === 9 ? "private" : "public",
    publishedAt: isPublished ? now - hourMs * (isArchive ? 4000 : random.below(300)) : null,
    createdAt,
    durationS: 20 + ((number * 37) % 1000),
    viewsBefore: random.next() < 0.5 ? random.below(5) : random.below(100_000),
    likesBefore: random.below(3),
    engaged: random.below(8),
    trend:
      random.next() < 0.4
        ? -Infinity
        : isArchive
          ? random.below(50) / 10
          : 20_000 + random.below(80) / 10,
    labels: {
      categories: [
        ...(random.next() < 0.5 ? ["half"] : []),
        ...(isArchive ? ["archive"] : []),
        ...(random.next() < 0.05 ? ["some"] : []),
        ...(number < 3 ? ["few"] : []),
      ],
      tags: [
        ...(random.next() < 0.6 ? ["Common Tag"] : []),
        ...(random.next() < 0.1 ? ["Ocean Life"] : []),
        ...(number % 900 === 7 ? ["Rare Tag"] : []),
      ],
      actors: [
        ...(random.next() < 0.15 ? ["Amber Stone"] : []),
        ...(number === 11 ? ["Single Actor"] : []),
      ],
    },
    hours,
  };
}

const sum = (video: PlainVideo, what: "views" | "likes") =>
  [...video.hours.values()].reduce((total, counts) => total + counts[what], 0);

async function insert(db: Db, videos: PlainVideo[], labelIds: Map<string, string>): Promise<void> {
  await db
    .insertInto("videos")
    .values(
      videos.map((video) => ({
        id: video.id,
        slug: `v-${video.id}`,
        title: video.title,
        description: video.description,
        status: video.isReady ? ("ready" as const) : ("processing" as const),
        is_published: video.isPublished,
        visibility: video.visibility,
        published_at: video.publishedAt === null ? null : new Date(video.publishedAt),
        // The reference keeps each date when a video is first listed.
        was_listed: true,
        created_at: new Date(video.createdAt),
        duration_s: video.durationS,
        media_token: newToken(),
        views: video.viewsBefore + sum(video, "views"),
        likes: video.likesBefore + sum(video, "likes"),
        engaged: video.engaged,
        trend: video.trend,
      })),
    )
    .execute();
  for (const [kind, table, column] of [
    ["categories", "video_categories", "category_id"],
    ["tags", "video_tags", "tag_id"],
    ["actors", "video_actors", "actor_id"],
  ] as const) {
    const links = videos.flatMap((video) =>
      video.labels[kind].map((name) => ({ video: video.id, label: labelIds.get(name) ?? "" })),
    );
    await sql`
      insert into ${sql.table(table)} (video_id, ${sql.ref(column)})
      select * from unnest(${links.map((l) => l.video)}::uuid[], ${links.map((l) => l.label)}::uuid[])`.execute(
      db,
    );
  }
  const hours = videos.flatMap((video) =>
    [...video.hours].map(([hour, counts]) => ({ id: video.id, hour, ...counts })),
  );
  await sql`
    insert into video_stats_hourly (video_id, hour, views, completed, likes)
    select * from unnest(${hours.map((h) => h.id)}::uuid[], ${hours.map((h) => new Date(h.hour))}::timestamptz[],
      ${hours.map((h) => h.views)}::bigint[], ${hours.map((h) => h.completed)}::bigint[],
      ${hours.map((h) => h.likes)}::bigint[])`.execute(db);
}
