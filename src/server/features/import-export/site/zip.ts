import { crc32 } from "node:zlib";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { AppError } from "#server/lib/app-error.ts";

/** File in an archive. */
export interface ZipEntry {
  /** As the archive spells it. It may lead anywhere. */
  name: string;
  sizeBytes: number;
  modifiedAt: Date;
  isLink: boolean;
  isEncrypted: boolean;
  /** Entry of the zip library, for `read`. */
  entry: Entry;
}

const utf8Flag = 0x800;
const typeMask = 0o170000;
const linkType = 0o120000;

/**
 * Opens an archive. Its files are read where they are, without unpacking.
 * @throws Error if it isn't an archive, or has no complete directory.
 */
export async function openZipArchive(path: string) {
  // Names are decoded here, because one that leads out of the archive must not refuse all others.
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false });
  try {
    const entries: ZipEntry[] = [];
    for await (const entry of zip.eachEntry()) {
      entries.push({
        name: decodeName(entry.fileNameRaw, (entry.generalPurposeBitFlag & utf8Flag) !== 0),
        sizeBytes: entry.uncompressedSize,
        modifiedAt: entry.getLastModDate({ timezone: "UTC" }),
        isLink: ((entry.externalFileAttributes >>> 16) & typeMask) === linkType,
        isEncrypted: entry.isEncrypted(),
        entry,
      });
    }
    return {
      entries,
      /** Yields the bytes of a file. @throws AppError invalid if they are damaged. */
      read: (entry: ZipEntry) => readEntry(zip, entry),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Decodes a name: UTF-8 if it is marked or valid, otherwise one character for each byte. */
function decodeName(bytes: Buffer, isMarked: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: !isMarked }).decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}

async function* readEntry(zip: ZipFile, { name, entry }: ZipEntry): AsyncGenerator<Uint8Array> {
  let readCrc = 0;
  try {
    const pieces: AsyncIterable<Uint8Array> = await zip.openReadStreamPromise(entry);
    for await (const bytes of pieces) {
      readCrc = crc32(bytes, readCrc);
      yield bytes;
    }
    if (readCrc !== entry.crc32) throw new Error("its checksum differs");
  } catch (error) {
    throw new AppError("invalid", `the archive is damaged: ${name} can't be read`, {
      cause: error,
    });
  }
}
