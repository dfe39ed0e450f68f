import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createEmptyDatabase } from "#test/database.ts";
import { root } from "#test/harness/server-process.ts";
import { makeFolder } from "#test/shared.ts";
import { toConnectionString } from "#server/db/connection.ts";
import {
  clipMaker,
  peerTubeFiles,
  peerTubeVideo,
  uuidOf,
  webVtt,
  writeTree,
  ytDlpVideo,
  zipOf,
  type FileContents,
} from "./other-sites.fixture.ts";

const languages = ["en", "de", "fr", "es", "pt-BR", "ru"];

/** Writes three sites with videos of different bytes. Each fifth one has captions and chapters. */
async function writeSites(perSite: number) {
  const clip = await clipMaker();
  const captioned = (at: number) => (at % 5 === 0 ? languages : []);
  const chapters = [0, 0.5];
  const [archive, plain] = [makeFolder("archive"), makeFolder("plain")];
  for (let at = 0; at < perSite; at += 1) {
    const info = {
      id: `yt-${at}`,
      title: `Clip ${at}`,
      timestamp: 1_500_000_000 + at,
      webpage_url: `https://old.example/view?m=yt-${at}`,
      chapters: chapters.map((start_time) => ({ start_time, title: `Part ${start_time}` })),
      subtitles: Object.fromEntries(languages.map((language) => [language, []])),
    };
    await writeTree(archive, {
      ...ytDlpVideo(`Clip ${at} [yt-${at}]`, info, clip(at)),
      ...Object.fromEntries(
        captioned(at).map((language) => [
          `Clip ${at} [yt-${at}].${language}.vtt`,
          webVtt(language),
        ]),
      ),
    });
    await writeTree(plain, {
      [`Folder ${at % 4}/plain ${at}.mp4`]: clip(10_000 + at),
      ...Object.fromEntries(
        captioned(at).map((language) => [
          `Folder ${at % 4}/plain ${at}.${language}.vtt`,
          webVtt(language),
        ]),
      ),
    });
  }
  const videos = Array.from({ length: perSite }, (_, at) =>
    peerTubeVideo(at, {
      chapters: chapters.map((timecode) => ({ timecode, title: `Part ${timecode}` })),
      archiveFiles: {
        videoFile: `../files/videos/video-files/${uuidOf(at)}.mp4`,
        captions: Object.fromEntries(
          captioned(at).map((language) => [
            language,
            `../files/videos/captions/${uuidOf(at)}-${language}.vtt`,
          ]),
        ),
      },
    }),
  );
  const files: FileContents = peerTubeFiles(videos, (at) => clip(20_000 + at));
  for (let at = 0; at < perSite; at += 1) {
    for (const language of captioned(at)) {
      files[`files/videos/captions/${uuidOf(at)}-${language}.vtt`] = webVtt(language);
    }
  }
  const zip = join(makeFolder("zip"), "export.zip");
  await writeFile(zip, zipOf(files));
  return { paths: [archive, zip, plain], captions: Math.ceil(perSite / 5) * languages.length * 3 };
}

it("moves 200 videos of three sites in, killed at ten random moments", async () => {
  const [perSite, kills] = [67, 10];
  const sites = await writeSites(perSite);
  const database = await createEmptyDatabase();
  const dataDir = makeFolder("move-in");
  await mkdir(dataDir, { recursive: true });
  const { db } = database;
  const start = (path: string) =>
    spawn(process.execPath, ["src/server/admin-cli.ts", "import-site", path, "--publish"], {
      cwd: root,
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        DATABASE_URL: `${toConnectionString(database.target)}&connect_timeout=60`,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
  const run = async (path: string) => {
    const child = start(path);
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code, stdout, stderr };
  };
  /** The table doesn't exist before the first run. */
  const countVideos = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from video_origins`
      .execute(db)
      .catch(() => ({ rows: [] }));
    return rows[0]?.n ?? 0;
  };
  try {
    let left = kills;
    for (const path of sites.paths) {
      for (let kill = 0; kill < Math.ceil(kills / sites.paths.length) && left > 0; kill += 1) {
        left -= 1;
        const before = await countVideos();
        const child = start(path);
        const ended = once(child, "close");
        child.stdout.resume();
        child.stderr.resume();
        while (child.exitCode === null && (await countVideos()) <= before) await wait(20);
        await wait(Math.random() * 500);
        child.kill("SIGKILL");
        await ended;
      }
      const { code, stdout, stderr } = await run(path);
      expect({ code, stderr, stdout }).toMatchObject({ code: 0, stderr: "" });
    }
    const again = await run(sites.paths[1] ?? "");
    const { rows } = await sql<Record<string, number>>`
      select count(*)::int as videos, count(distinct title)::int as titles,
        sum(jsonb_array_length(captions))::int as captions,
        count(*) filter (where jsonb_array_length(chapters) = 2)::int as chaptered,
        count(*) filter (where is_published)::int as published,
        (select count(*)::int from video_origins where is_complete) as origins,
        (select count(*)::int from old_addresses a join videos v on v.id = a.video_id) as addresses
      from videos`.execute(db);
    expect(rows[0]).toEqual({
      ...{ videos: perSite * 3, titles: perSite * 3, origins: perSite * 3 },
      ...{ published: perSite * 3, captions: sites.captions, chaptered: perSite * 2 },
      // One address for each video of the archive, and six for each of PeerTube.
      addresses: perSite * 7,
    });
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain(`0 new, ${perSite} already here, 0 refused.`);
  } finally {
    await database.drop();
  }
});
