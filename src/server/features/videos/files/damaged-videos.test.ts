import { expect, test } from "vitest";
import { useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { checkNewestVideos, findDamagedVideos } from "./damaged-videos.ts";

const app = useTestApp({ logLevel: "silent" });

const playlist = `#EXTM3U
#EXT-X-MAP:URI="v360.mp4",BYTERANGE="10@0"
#EXTINF:2.000000,
#EXT-X-BYTERANGE:90@10
v360.mp4
#EXT-X-ENDLIST
`;

/** Creates a playable video whose rendition should have 100 bytes and has `sizeBytes`. */
async function addVideo(slug: string, sizeBytes: number | null): Promise<string> {
  const { storage } = app.context;
  const folder = `v/${slug}/hls`;
  await storage.putBytes(`${folder}/master.m3u8`, "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv360.m3u8\n");
  await storage.putBytes(`${folder}/v360.m3u8`, playlist);
  if (sizeBytes !== null) await storage.putBytes(`${folder}/v360.mp4`, Buffer.alloc(sizeBytes));
  const { id } = await makeVideo(app.db, {
    slug,
    status: "ready",
    hls_key: `${folder}/master.m3u8`,
  });
  return id;
}

test("finds stored videos whose playlists refer to missing bytes", async () => {
  const { storage } = app.context;
  await addVideo("whole", 100);
  const cut = await addVideo("cut", 60);
  const missing = await addVideo("missing", null);
  const found = await checkNewestVideos(app.db, storage);
  expect(found.checked).toBe(3);
  expect(found.damaged.toSorted((a, b) => a.slug.localeCompare(b.slug))).toEqual([
    { id: cut, slug: "cut", problem: "v360.mp4 has 60 of 100 bytes" },
    { id: missing, slug: "missing", problem: "v360.mp4 is missing" },
  ]);
  let checked = 0;
  for await (const batch of findDamagedVideos(app.db, storage, 1)) checked += batch.checked;
  expect(checked).toBe(1);
});
