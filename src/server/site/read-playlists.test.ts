import { expect, it } from "vitest";
import { createPlaylistReader } from "./read-playlists.ts";

const master = '#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,URI="sound.m3u8"\n#EXT-X-STREAM-INF:\nv360.m3u8\n';

function setUp(maxKept?: number) {
  const reads: string[] = [];
  const isThere = { value: true };
  const readPlaylists = createPlaylistReader(
    {
      async readBytes(key) {
        reads.push(key);
        if (!isThere.value) throw new Error("no such file");
        return Buffer.from(key.endsWith("master.m3u8") ? master : "#EXTM3U\n");
      },
    },
    maxKept,
  );
  const read = (name: string) => readPlaylists({ hlsUrl: `/media/v/${name}/hls/master.m3u8` });
  return { read, reads, isThere };
}

it("reads the playlists of a video once", async () => {
  const { read, reads } = setUp();
  const playlists = await read("a");
  expect(playlists).toEqual({
    master: "/media/v/a/hls/master.m3u8",
    files: {
      "/media/v/a/hls/master.m3u8": master,
      "/media/v/a/hls/sound.m3u8": "#EXTM3U\n",
      "/media/v/a/hls/v360.m3u8": "#EXTM3U\n",
    },
  });
  expect(await read("a")).toEqual(playlists);
  expect(reads).toHaveLength(3);
});

it("caches only the latest playlists, up to the limit", async () => {
  const { read, reads } = setUp(250);
  for (const name of ["a", "b", "c"]) await read(name);
  reads.length = 0;
  await read("c");
  expect(reads).toEqual([]);
  await read("a");
  expect(reads).toHaveLength(3);
});

it("doesn't cache failures", async () => {
  const { read, isThere } = setUp();
  isThere.value = false;
  expect(await read("a")).toBeNull();
  isThere.value = true;
  expect(await read("a")).not.toBeNull();
});
