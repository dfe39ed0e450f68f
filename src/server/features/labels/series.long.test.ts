import { sql } from "kysely";
import { expect, it } from "vitest";
import { createClient, useClient, useTestApp } from "#test/app.ts";
import { makeTag } from "#test/factories/make-label.ts";
import { newId } from "#server/lib/ids.ts";

const app = useTestApp();
const admin = useClient(app, "OWNER");
const count = 10_000;

it("sorts, numbers, pages, exports and plays a series of 10,000 videos", async () => {
  const tag = await makeTag(app.db, { is_series: true });
  const ids = Array.from({ length: count }, () => newId());
  await sql`
    insert into videos (id, slug, title, status, is_published, published_at, duration_s, media_token)
    select id, 'v-' || at, 'Video ' || at, 'ready', true, now(), 60, 'token-' || at
    from unnest(${ids}::uuid[]) with ordinality as given (id, at)`.execute(app.db);
  await sql`
    insert into video_tags (video_id, tag_id)
    select id, ${tag.id}::uuid from unnest(${ids}::uuid[]) with ordinality as given (id, at)
    order by at`.execute(app.db);
  const path = `/api/tags/${tag.id}/series`;
  const reversed = await admin.call("PUT", path, { videoIds: ids.toReversed() });
  expect(reversed.status).toBe(204);
  const moved = await admin.call("POST", `${path}/moves`, { videoId: ids[0], to: 5000 });
  expect(moved.status).toBe(204);

  const visitor = createClient(app.url);
  const { json: video } = await visitor.call("GET", `/api/videos/${ids[0]}`);
  expect(video.series).toMatchObject([{ part: 5000, total: count }]);
  expect(video.series[0].previous.slug).toBe("v-5002");
  const page = `/api/videos?tag=${tag.slug}&sort=part&limit=12&offset=9990`;
  const { json: last } = await visitor.call("GET", page);
  expect(last.videos.map(({ part }: { part: { number: number } }) => part.number)).toEqual(
    Array.from({ length: 10 }, (_, at) => 9991 + at),
  );
  expect(last).toMatchObject({ total: count, nextCursor: null });
  const { json: label } = await visitor.call("GET", `/api/tags/${tag.slug}`);
  expect(label.runningTimeS).toBe(count * 60);
  const { text } = await admin.call("GET", "/api/admin/export/tags");
  expect(text).toContain("v-10000, v-9999, v-9998");
});
