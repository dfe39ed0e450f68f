/** What is typed about a video before it exists; labels are text with commas. */
export interface UploadForm {
  title: string;
  description: string;
  categories: string;
  tags: string;
  actors: string;
  isPremium: boolean;
}

export const blankForm: UploadForm = {
  title: "",
  description: "",
  categories: "",
  tags: "",
  actors: "",
  isPremium: false,
};

/** `editing`: the form is filled; `sending`: submitted, bytes travel; `finishing`: all are there. */
export type UploadPhase = "editing" | "sending" | "finishing";

/**
 * How the bytes travel. `with-form`: a small file goes in one call with its form. The others go in
 * parts from the moment they are chosen: `waiting` has lost the connection and tries again by
 * itself, `failed` will not go on.
 */
export type Transfer = "with-form" | "queued" | "running" | "waiting" | "arrived" | "failed";

/** One file on its way, with its own form. */
export interface UploadItem {
  id: string;
  /** Null after a reload where the browser could not keep it: it must be chosen again. */
  file: Blob | null;
  name: string;
  sizeBytes: number;
  type: string;
  thumbnail: { state: "making" } | { state: "made"; blob: Blob; url: string } | { state: "none" };
  durationS: number | null;
  form: UploadForm;
  phase: UploadPhase;
  transfer: Transfer;
  sentBytes: number;
  /** Where the server keeps the bytes that arrived; null while it holds none. */
  uploadUrl: string | null;
  /** Why it does not go on, in words for people. */
  error: string | null;
}

/** Above this a file goes in parts. One part of 8 MB needs no resuming. */
export const partsAboveBytes = 8 * 1024 * 1024;

export const isInParts = (item: Pick<UploadItem, "transfer">): boolean =>
  item.transfer !== "with-form";

/** Whether closing the window now would interrupt something. */
export const isUnderWay = (item: UploadItem): boolean =>
  item.phase !== "editing" || item.transfer === "running" || item.transfer === "waiting";

/** Whole percent of the bytes. */
export const percentOf = (item: Pick<UploadItem, "sentBytes" | "sizeBytes">): number =>
  Math.min(100, Math.floor((item.sentBytes / Math.max(1, item.sizeBytes)) * 100));

/** "my_first-clip.mp4" as a first proposal for a title: "my first clip". */
export function titleFromName(name: string): string {
  return name
    .replace(/\.[a-z0-9]{2,5}$/i, "")
    .replace(/[_.-]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200);
}
