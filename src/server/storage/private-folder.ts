import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Mode of a folder that other users may enter but not list. */
export const passableMode = 0o711;

/** Creates a folder that only this user may enter, or makes an existing one private. */
export function ensurePrivateFolder(folder: string, mode = 0o700): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
}

/** Makes the files directly in a folder private. */
export function makeFilesPrivate(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) chmodSync(join(folder, entry.name), 0o600);
  }
}
