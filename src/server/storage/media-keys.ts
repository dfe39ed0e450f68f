import { extname } from "node:path";
import { ownThumbnailPrefix, posterName } from "#contract/videos/picture-sizes.ts";
import { newToken } from "#server/lib/ids.ts";

/**
 * Prefix of a video's files. A key below `v/` is also its public path below `/media/`. The folder
 * name is a token that can't be guessed. File names change with their content, so cached responses
 * never go stale.
 */
export const publicVideoPrefix = "v/";

/** Prefix of pictures of labels and the site, visible to everyone. */
export const publicPrefix = "public/";

/** Prefix of originals, which are never served. */
export const sourcePrefix = "sources/";

/** Prefix of the copies of listed videos' files in a bucket that has a public address. */
export const publishedPrefix = "published/";

export function videoFolder(mediaToken: string): string {
  return `${publicVideoPrefix}${mediaToken}/`;
}

export function sourceKey(videoId: string): string {
  return `${sourcePrefix}${videoId}`;
}

/**
 * Returns the key of the file that takes the place of a deleted original while files are made
 * again.
 */
export const standInKey = (videoId: string): string => `${sourceKey(videoId)}-stand-in`;

export const isStandIn = (key: string | null): boolean => key?.endsWith("-stand-in") === true;

export function mediaUrl(key: string): string;
export function mediaUrl(key: string | null): string | null;
export function mediaUrl(key: string | null): string | null {
  return key === null ? null : `/media/${key}`;
}

/** Returns a new folder for the files of one pipeline step. */
export function createStepFolder(mediaToken: string): string {
  return `${videoFolder(mediaToken)}${newToken(6)}/`;
}

/** Returns the folder of the pipeline step that wrote a file. */
export function stepFolder(key: string): string {
  return `${key.split("/").slice(0, 3).join("/")}/`;
}

/** Returns a new folder for the files of an uploaded thumbnail. */
export function createThumbnailFolder(mediaToken: string): string {
  return `${videoFolder(mediaToken)}${ownThumbnailPrefix}${newToken(6)}/`;
}

/** Returns the key of the poster in the folder of an uploaded thumbnail. */
export const ownPosterKey = (thumbnailKey: string): string =>
  `${stepFolder(thumbnailKey)}${posterName}`;

/** Returns whether a thumbnail was uploaded. Otherwise it was made from the video. */
export const isOwnThumbnail = (key: string | null): boolean =>
  key !== null && videoFolderEntry(key).startsWith(ownThumbnailPrefix);

/** Returns a new folder for one version of a caption track. */
export function createCaptionFolder(mediaToken: string): string {
  return `${videoFolder(mediaToken)}captions-${newToken(6)}/`;
}

/** Returns a new folder for the files of a label's picture, visible to everyone. */
export function createLabelPictureFolder(kind: string, labelId: string): string {
  return `${publicPrefix}${kind}/${labelId}-${newToken(6)}/`;
}

/** Folder of the site's own pictures, visible to everyone. */
const sitePictureFolder = `${publicPrefix}site/`;

/** @param fileName only its extension is used. */
export function createSitePictureKey(name: string, fileName: string): string {
  return `${sitePictureFolder}${name}-${newToken(6)}${extname(fileName)}`;
}

/**
 * Returns a key for an uploaded picture of an ad. The name contains nothing that ad blockers match.
 */
export const createAdPictureKey = (extension: string): string =>
  `${publicPrefix}spots/${newToken(12)}${extension}`;

/** Returns a key for an uploaded picture of one of the operator's pages. */
export const createOwnPagePictureKey = (extension: string): string =>
  `${publicPrefix}pages/${newToken(12)}${extension}`;

/** Area of `/media/` whose addresses contain a secret instead of a video's folder. */
export const privateArea = "private";

export const privateMediaUrl = (secret: string): string => `/media/${privateArea}/${secret}/`;

/** Area of `/media/` whose addresses contain a ticket before the key (`page-token.ts`). */
export const ticketArea = "ticket";

/** @param url address below `/media/`. */
export const ticketedMediaUrl = (url: string, ticket: string): string =>
  url.replace("/media/", `/media/${ticketArea}/${ticket}/`);

/** Returns the ticket in a path, or null if it is no ticketed media address. */
export const ticketOfMediaPath = (path: string): string | null =>
  /^\/media\/ticket\/([^/]+)\//.exec(path)?.[1] ?? null;

/** Returns the key of a picture uploaded for the site, or null for any other address. */
export const sitePictureKeyOf = (url: string | null): string | null =>
  url?.startsWith(`/media/${sitePictureFolder}`) === true ? url.slice("/media/".length) : null;

/** Returns the media token in a public key. */
export function mediaTokenOf(key: string): string {
  return key.split("/")[1] ?? "";
}

/**
 * Returns the entry directly below a video's folder that contains a key. Each run of a pipeline
 * step writes to a separate folder. That way, entries in use can be distinguished from those
 * of earlier runs.
 */
export function videoFolderEntry(key: string): string {
  return key.split("/")[2] ?? "";
}
