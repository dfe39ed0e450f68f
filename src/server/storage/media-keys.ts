import { extname } from "node:path";
import { newToken } from "#server/lib/ids.ts";

/**
 * Keys of the files of a video. A key below `v/` is also its public path below `/media/`. The folder
 * is an unguessable token and names change with their content, so cached responses never go stale.
 */
export const publicVideoPrefix = "v/";

/** Pictures of labels and of the site, for all visitors. */
export const publicPrefix = "public/";

/** Originals are outside of everything that is served. */
export const sourcePrefix = "sources/";

/** Copies of the files of listed videos in a bucket, for a public address in front of them. */
export const publishedPrefix = "published/";

export function videoFolder(mediaToken: string): string {
  return `${publicVideoPrefix}${mediaToken}/`;
}

export function sourceKey(videoId: string): string {
  return `${sourcePrefix}${videoId}`;
}

export function mediaUrl(key: string): string;
export function mediaUrl(key: string | null): string | null;
export function mediaUrl(key: string | null): string | null {
  return key === null ? null : `/media/${key}`;
}

/** A new folder for the files of one pipeline step. */
export function createStepFolder(mediaToken: string): string {
  return `${videoFolder(mediaToken)}${newToken(6)}/`;
}

/** The folder of the pipeline step that wrote a file. */
export function stepFolderOf(key: string): string {
  return `${key.split("/").slice(0, 3).join("/")}/`;
}

/** A new folder for the files of a thumbnail that was uploaded. */
export function createThumbnailFolder(mediaToken: string): string {
  return `${videoFolder(mediaToken)}thumbnail-${newToken(6)}/`;
}

/** Whether a thumbnail was uploaded, rather than made from the video. */
export const isOwnThumbnail = (key: string | null): boolean =>
  key !== null && folderEntryOf(key).startsWith("thumbnail-");

/** A new folder for one version of a track of captions. */
export function createCaptionFolder(mediaToken: string): string {
  return `${videoFolder(mediaToken)}captions-${newToken(6)}/`;
}

/** A new folder for the files of a label's picture. They are for all visitors. */
export function createLabelPictureFolder(kind: string, labelId: string): string {
  return `${publicPrefix}${kind}/${labelId}-${newToken(6)}/`;
}

/** The folder of the site's own pictures, which are for all visitors. */
const sitePictureFolder = `${publicPrefix}site/`;

/** @param fileName only its extension is used. */
export function createSitePictureKey(name: string, fileName: string): string {
  return `${sitePictureFolder}${name}-${newToken(6)}${extname(fileName)}`;
}

/** The area of `/media/` whose addresses hold a secret instead of the folder of a video. */
export const privateArea = "private";

export const privateMediaUrl = (secret: string): string => `/media/${privateArea}/${secret}/`;

/** The key of a picture that was uploaded for the site; null for any other address. */
export const sitePictureKeyOf = (url: string | null): string | null =>
  url?.startsWith(`/media/${sitePictureFolder}`) === true ? url.slice("/media/".length) : null;

/** The media token in a public key. */
export function mediaTokenOf(key: string): string {
  return key.split("/")[1] ?? "";
}

/**
 * The entry directly below a video's folder that a key lies in. Each run of a pipeline step writes
 * into a folder of its own, so the entries that a row names are told from those of earlier runs.
 */
export function folderEntryOf(key: string): string {
  return key.split("/")[2] ?? "";
}
