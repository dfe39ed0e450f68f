import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTestDatabase } from "#test/database.ts";
import { root } from "#test/harness/server-process.ts";
import { makeFolder } from "#test/shared.ts";
import { toConnectionString } from "#server/db/connection.ts";
import { clipMaker, webVtt, writeTree } from "../site/other-sites.fixture.ts";

const files = 24;
const kills = 4;

it("imports each file once and moves it, killed again and again", async () => {
  const clip = await clipMaker();
  const importDir = makeFolder("watch");
  const dataDir = makeFolder("watch-data");
  const names = Array.from({ length: files }, (_, at) => `Cat ${at % 3}/clip ${at}`);
  for (const [at, name] of names.entries()) {
    await writeTree(importDir, {
      [`${name}.mp4`]: clip(at),
      [`${name}.en.vtt`]: webVtt(String(at)),
    });
  }
  const database = await createTestDatabase();
  const { db } = database;
  await db.updateTable("settings").set({ watch_folder: true, watch_rest_s: 0 }).execute();
  const children: ChildProcess[] = [];
  const start = () => {
    const child = spawn(process.execPath, ["test/fixtures/watch-folder.ts"], {
      cwd: root,
      env: {
        ...process.env,
        ...{ DATA_DIR: dataDir, IMPORT_DIR: importDir },
        DATABASE_URL: toConnectionString(database.target),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    return child;
  };
  const count = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from videos`.execute(db);
    return rows[0]?.n ?? 0;
  };
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const before = await count();
      // Two at the same time, as with two workers. Both die.
      const [child, second] = [start(), start()];
      const ended = Promise.all([once(child, "close"), once(second, "close")]);
      for (const { stdout, stderr } of [child, second]) {
        stdout.resume();
        stderr.resume();
      }
      while (child.exitCode === null && (await count()) <= before) await wait(5);
      // Between the video and the moved file, or anywhere else.
      await wait(kill * 7);
      child.kill("SIGKILL");
      second.kill("SIGKILL");
      await ended;
    }
    const last = start();
    const [stderr] = await Promise.all([text(last.stderr), text(last.stdout), once(last, "close")]);
    expect({ stderr, code: last.exitCode }).toEqual({ stderr: "", code: 0 });
    const { rows } = await sql`
      select count(*)::int as videos, count(distinct title)::int as titles,
        sum(jsonb_array_length(captions))::int as captions,
        (select count(*)::int from watched_files where state = 'done' and is_moved) as moved,
        (select count(*)::int from watched_files) as remembered
      from videos`.execute(db);
    expect(rows).toEqual([
      { videos: files, titles: files, captions: files, moved: files, remembered: files },
    ]);
    const entries = await readdir(importDir, { recursive: true, withFileTypes: true });
    const left = entries.filter((entry) => !entry.isDirectory());
    expect(left).toHaveLength(files * 2);
    expect(left.every(({ parentPath }) => parentPath.startsWith(`${importDir}/done/`))).toBe(true);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await database.drop();
  }
});
