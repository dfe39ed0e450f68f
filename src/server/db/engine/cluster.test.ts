import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensureCluster } from "./cluster.ts";

const launch = {
  wrap: (file: string, args: string[]) => ({ file, args }),
  wrapServer: () => expect.unreachable(),
  fileOwnerId: process.getuid?.() ?? 0,
  dropsUser: false,
};

test("takes away permissions that a copy of the folder gained", async () => {
  const folder = await mkdtemp(join(tmpdir(), "kinora-cluster-"));
  try {
    const clusterDir = join(folder, "postgres");
    await mkdir(clusterDir);
    await writeFile(join(clusterDir, "PG_VERSION"), "18\n");
    await chmod(clusterDir, 0o755);
    const initdb = join(folder, "initdb");
    await ensureCluster(folder, { postgres: "", initdb, env: {} }, launch, true);
    expect((await stat(clusterDir)).mode & 0o777).toBe(0o700);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  "FATAL:  could not write lock file: No space left on device",
  "HINT:  Check free disk space.",
])("explains a full disk while it creates the database, and leaves nothing: %s", async (line) => {
  const folder = await mkdtemp(join(tmpdir(), "kinora-cluster-"));
  try {
    const initdb = join(folder, "initdb");
    await writeFile(initdb, `#!/bin/sh\necho '${line}' >&2\necho 'child process failed'\nexit 1\n`);
    await chmod(initdb, 0o755);
    const creating = ensureCluster(folder, { postgres: "", initdb, env: {} }, launch, true);
    await expect(creating).rejects.toThrow(
      `DATA_DIR: ${folder} has no space left for the database. Free at least 1 GB, or use another folder.`,
    );
    expect(await readdir(folder)).toEqual(["initdb"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
