import { chmod, chown, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRoot, serviceUser } from "./daemon.ts";

/** Creates a folder that services of other users can pass through. */
export async function makeServiceRoot(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `kinora-${name}-`));
  await chmod(folder, 0o711);
  return folder;
}

/** Creates a folder that belongs to the services' user. */
export async function makeServiceFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o700);
  if (isRoot) await chown(path, serviceUser, serviceUser);
  return path;
}
