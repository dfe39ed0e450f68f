import { createStore } from "#web/lib/store.ts";
import { newKey } from "#web/lib/new-key.ts";

/** Form of a new video. Labels are separated by commas. */
export interface UploadForm {
  title: string;
  description: string;
  categories: string;
  tags: string;
  actors: string;
  isPremium: boolean;
  /** What happens once the video exists. */
  outcome: (typeof afterUpload)[number];
  /** Local time in the format of `datetime-local`, for `schedule`. */
  publishAt: string;
}

export const afterUpload = ["draft", "publish", "schedule"] as const;

const blankForm: UploadForm = {
  title: "",
  description: "",
  categories: "",
  tags: "",
  actors: "",
  isPremium: false,
  outcome: "draft",
  publishAt: "",
};

/**
 * `editing`: the form is open; `sending`: submitted, bytes upload; `finishing`: all bytes arrived.
 */
type UploadPhase = "editing" | "sending" | "finishing";

/**
 * State of the transfer. With `with-form`, a small file is sent in one request with its form. Other
 * files are sent in parts as soon as they are chosen. A `waiting` transfer retries: it has lost the
 * connection, or the server doesn't accept the next part yet (`error`). A `failed` one has given up.
 */
type Transfer = "with-form" | "queued" | "running" | "waiting" | "arrived" | "failed";

/** One upload with its form. */
export interface UploadItem {
  id: string;
  /**
   * Null if the browser couldn't store it for a reload or can't read it any more. The user must
   * choose it again.
   */
  file: Blob | null;
  name: string;
  sizeBytes: number;
  type: string;
  thumbnail:
    | { state: "loading" }
    | { state: "ready"; blob: Blob; url: string; isReplacement?: boolean; isChosen?: boolean }
    | { state: "none" };
  durationS: number | null;
  form: UploadForm;
  phase: UploadPhase;
  transfer: Transfer;
  sentBytes: number;
  /** URL of the received bytes on the server. Null if there are none. */
  uploadUrl: string | null;
  /** Failure message. */
  error: string | null;
}

/** Size above which a file is sent in parts. A single part of 8 MB needs no resuming. */
export const partsAboveBytes = 8 * 1024 * 1024;

export const isInParts = (item: UploadItem): boolean => item.transfer !== "with-form";

/** Fields that several files can share. */
export type CommonDetails = Omit<UploadForm, "title">;

export const canSubmit = ({ file, form, phase }: UploadItem): boolean =>
  phase === "editing" &&
  file !== null &&
  form.title.trim() !== "" &&
  (form.outcome !== "schedule" || !Number.isNaN(Date.parse(form.publishAt)));

/** Returns whether the user edited the form, or the upload was restored after a reload. */
export const isWorthKeeping = ({ form }: UploadItem): boolean => form !== blankForm;

/** Returns whether closing the tab now would interrupt an upload. */
export const isInProgress = (item: UploadItem): boolean =>
  item.phase !== "editing" || item.transfer === "running" || item.transfer === "waiting";

/** Returns the percentage of the bytes sent, rounded down. */
export const percentOf = (item: { sentBytes: number; sizeBytes: number }): number =>
  Math.min(100, Math.floor((item.sentBytes / Math.max(1, item.sizeBytes)) * 100));

function revokeThumbnail({ thumbnail }: UploadItem): void {
  if (thumbnail.state === "ready") URL.revokeObjectURL(thumbnail.url);
}

/** List for `useSyncExternalStore`. Every change creates a new array. */
export function createItemStore() {
  const { get: items, replace, subscribe } = createStore<readonly UploadItem[]>([]);
  const find = (id: string) => items().find((item) => item.id === id);

  return {
    items,
    find,
    add: (added: readonly UploadItem[]): void => replace([...items(), ...added]),
    change(id: string, part: Partial<UploadItem>): void {
      const before = find(id);
      if (before === undefined) return;
      if (part.thumbnail !== undefined) revokeThumbnail(before);
      replace(items().map((item) => (item.id === id ? { ...item, ...part } : item)));
    },
    drop(id: string): void {
      const item = find(id);
      if (item === undefined) return;
      revokeThumbnail(item);
      replace(items().filter((other) => other.id !== id));
    },
    subscribe,
  };
}

export type ItemStore = ReturnType<typeof createItemStore>;

/** Returns the item for a newly chosen file. */
export function newItem(file: File): UploadItem {
  return {
    id: newKey(),
    file,
    name: file.name,
    sizeBytes: file.size,
    type: file.type,
    thumbnail: { state: "loading" },
    durationS: null,
    form: blankForm,
    phase: "editing",
    transfer: file.size > partsAboveBytes ? "queued" : "with-form",
    sentBytes: 0,
    uploadUrl: null,
    error: null,
  };
}
