import { spawnSync } from "node:child_process";
import { chmod, rm, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { createDaemon, isRoot, serviceUser } from "./daemon.ts";
import { findFreePort } from "./server-process.ts";
import { makeServiceFolder, makeServiceRoot } from "./service-folder.ts";
import {
  account,
  cacheScript,
  hashConfig,
  proxyConfig,
  ringScript,
  storageConfig,
} from "./swift-config.ts";

/**
 * A real S3 server for tests: OpenStack Swift with its s3api, which checks signatures, byte ranges
 * and multipart uploads. It listens on free loopback ports, runs as an unprivileged user and keeps
 * its data in a temporary folder.
 *
 *     const s3 = await startObjectStore();
 *     const site = await startSite({ env: s3.env });
 *     await s3.goAway(); // connections are refused, the data stays
 *     await s3.comeBack();
 *     await s3.stop();
 */
export interface ObjectStore {
  endpoint: string;
  /** Bucket that already exists. */
  bucket: string;
  /** Environment variables for a site that stores its media here. */
  env: Record<string, string>;
  /** Kills the server that clients connect to. The data stays. */
  goAway(): Promise<void>;
  /** Restarts the server at the same address. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

const python = "/usr/bin/python3";
const storageServices = ["account", "container", "object"] as const;
const bucket = "kinora";
/** Swift requires the user's name. */
const userName = isRoot
  ? spawnSync("id", ["-nu", `${serviceUser}`], { encoding: "utf8" }).stdout.trim()
  : userInfo().username;

export async function startObjectStore(): Promise<ObjectStore> {
  const folder = await makeServiceRoot("swift");
  // The service's user must be able to read these files.
  await chmod(folder, 0o755);
  await makeServiceFolder(join(folder, "devices/d1"));
  await chmod(join(folder, "devices"), 0o755);
  const port = await findFreePort();
  const storagePorts: number[] = [];
  for (const service of storageServices) {
    const own = await findFreePort();
    storagePorts.push(own);
    await writeFile(
      join(folder, `${service}-server.conf`),
      storageConfig(service, userName, folder, own),
    );
  }
  await writeFile(join(folder, "swift.conf"), hashConfig);
  await writeFile(join(folder, "kinora_cache.py"), cacheScript);
  await writeFile(join(folder, "proxy-server.conf"), proxyConfig(userName, folder, port));
  runPython(ringScript, [folder, ...storagePorts.map(String)]);

  const createService = (service: string, own: number) =>
    createDaemon({
      name: `Swift's ${service} server`,
      command: [
        ...["/usr/bin/env", "LANG=C.UTF-8", `PYTHONPATH=${folder}`, "PYTHONDONTWRITEBYTECODE=1"],
        ...[python, `/usr/bin/swift-${service}-server`],
        ...[join(folder, `${service}-server.conf`), "--verbose"],
      ],
      cwd: folder,
      isUnprivileged: true,
      isReady: async () => (await fetch(`http://127.0.0.1:${own}/healthcheck`)).status > 0,
    });
  const proxy = createService("proxy", port);
  const daemons = [
    proxy,
    ...storageServices.map((service, at) => createService(service, storagePorts[at] ?? 0)),
  ];
  async function stop(): Promise<void> {
    await Promise.all(daemons.map((daemon) => daemon.stop("SIGKILL")));
    await rm(folder, { recursive: true, force: true });
  }
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await Promise.all(daemons.map((daemon) => daemon.start()));
    await createBucket(endpoint);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    endpoint,
    bucket,
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: account.region,
      S3_ACCESS_KEY_ID: account.user,
      S3_SECRET_ACCESS_KEY: account.password,
      S3_PATH_STYLE: "1",
    },
    goAway: () => proxy.stop("SIGKILL"),
    comeBack: () => proxy.start(),
    stop,
  };
}

function runPython(script: string, args: string[]): void {
  const { status, stderr } = spawnSync(python, ["-c", script, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`Couldn't set up Swift: ${stderr}`);
}

async function createBucket(endpoint: string): Promise<void> {
  const client = new S3Client({
    endpoint,
    region: account.region,
    credentials: { accessKeyId: account.user, secretAccessKey: account.password },
    forcePathStyle: true,
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
}
