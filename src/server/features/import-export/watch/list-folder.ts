import { readdir, realpath, stat } from "node:fs/promises";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Db } from "#server/db/connection.ts";
import { AppError, codeOf } from "#server/lib/app-error.ts";
import { sha256 } from "#server/lib/ids.ts";
import { baseOf } from "../site/folder.reader.ts";
import { createSidecars, isStreamOfVideo, isVideoFile, type Sidecars } from "../site/sidecars.ts";
import { openFolder, type SourceFile, type SourceFiles } from "../site/source-files.ts";
import { canMoveFiles, outcomeFolders } from "./move-files.ts";
import { findPlace } from "./watched-files.repository.ts";

/** How long a folder may take to respond. */
const patienceMs = 10_000;
/** Number of files to handle before other work of the process gets a turn. */
export const filesPerTurn = 200;

/** Something in the folder that is a video, or looks like one. */
export interface Candidate {
  path: string;
  /** Null if it can't be moved. */
  localPath: string | null;
  /** Null if it is refused. */
  file: SourceFile | null;
  refusal: string | null;
  key: Buffer;
  /** Changes when the file or one of its sidecars changes. */
  signature: Buffer;
}

export interface Listing {
  /** Without links. */
  root: string;
  /** Device and number of the folder. */
  place: string;
  isEmpty: boolean;
  files: SourceFiles;
  sidecars: Sidecars;
  canMove: boolean;
}

/** The folder can't be read now. Its content isn't known, so nothing is forgotten. */
export class FolderGone extends Error {}

const nameOfFile = ({ path, sizeBytes, modifiedAt }: SourceFile): string =>
  `${path}\n${sizeBytes}\n${modifiedAt.getTime()}`;

export async function listCandidates({ files, sidecars }: Listing): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const file of files.files.values()) {
    if (!isVideoFile(file.path) || isStreamOfVideo(file.path)) continue;
    if (found.length % filesPerTurn === 0) await nextTurn();
    const parts = [file, ...sidecars.all(baseOf(file.path))].map(nameOfFile);
    found.push({
      ...{ path: file.path, localPath: files.localPath(file.path), file, refusal: null },
      ...{ key: sha256(parts[0] ?? ""), signature: sha256(parts.join("\n")) },
    });
  }
  const refused = files.refused.map(({ path, reason, localPath = null }): Candidate => {
    const key = sha256(`${localPath ?? path}\n${reason}`);
    const canBeMoved = localPath !== null && isVideoFile(path);
    return {
      ...{ path, localPath: canBeMoved ? localPath : null, file: null, refusal: reason },
      ...{ key, signature: key },
    };
  });
  return [...found, ...refused].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Lists the watched folder, and recognizes an empty folder whose disk isn't mounted. */
export function createFolderListing(db: Db) {
  /** Call to a disk that hasn't returned yet. Each one occupies a thread, so there is only one. */
  let pending: Promise<unknown> | null = null;

  /** Identifies the folder. @throws FolderGone if it is missing, or its disk doesn't respond. */
  async function identify(root: string): Promise<{ place: string; isEmpty: boolean }> {
    if (pending !== null) throw new FolderGone("The folder doesn't respond.");
    const reading = (async () => {
      const [{ dev, ino }, names] = await Promise.all([stat(root), readdir(root)]);
      return { place: `${dev}:${ino}`, isEmpty: !names.some((name) => !name.startsWith(".")) };
    })();
    pending = reading;
    const settled = reading
      .catch(() => undefined)
      .then(() => {
        pending = null;
      });
    const found = await Promise.race([
      reading.catch((error: unknown) => {
        throw new FolderGone(`The folder can't be read (${codeOf(error) ?? "unknown error"}).`);
      }),
      wait(patienceMs, null, { ref: false }),
    ]);
    if (found === null) throw new FolderGone("The folder doesn't respond.");
    await settled;
    return found;
  }

  async function list(folder: string): Promise<Listing> {
    const { place, isEmpty } = await identify(folder);
    const known = await findPlace(db);
    if (isEmpty && known !== null && known !== place) {
      const message = "The folder is empty and isn't the one seen before. Is its disk mounted?";
      throw new FolderGone(message);
    }
    const leavesOut = [...outcomeFolders];
    try {
      // The paths of the files contain no links either, and files are moved relative to it.
      const root = await realpath(folder);
      const files = await openFolder(root, { leavesOut, followsLinks: false });
      const sidecars = createSidecars(files.files);
      const hasFiles = files.files.size > 0 || files.refused.length > 0;
      const canMove = hasFiles && (await canMoveFiles(root));
      const listing = { root, place, isEmpty, files, sidecars, canMove };
      await requireFolder(listing);
      return listing;
    } catch (error) {
      if (error instanceof FolderGone) throw error;
      if (error instanceof AppError) throw new FolderGone(error.message);
      throw new FolderGone(`The folder can't be read (${codeOf(error) ?? "unknown error"}).`);
    }
  }

  /** @throws FolderGone if the folder isn't there any more, which is why a file wasn't. */
  async function requireFolder({ root, place }: Listing): Promise<void> {
    const now = await identify(root);
    if (now.place !== place) throw new FolderGone("The folder was replaced or disconnected.");
  }

  return { list, requireFolder };
}
