import { createStore } from "#web/lib/store.ts";
import type { UploadItem } from "./upload-item.ts";

/** List for `useSyncExternalStore`. Every change creates a new array. */
export interface ItemStore {
  items: () => readonly UploadItem[];
  find: (id: string) => UploadItem | undefined;
  add: (items: readonly UploadItem[]) => void;
  change: (id: string, part: Partial<UploadItem>) => void;
  drop: (id: string) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createItemStore(): ItemStore {
  const { get: items, replace, subscribe } = createStore<readonly UploadItem[]>([]);
  const find = (id: string) => items().find((item) => item.id === id);

  return {
    items,
    find,
    add: (added) => replace([...items(), ...added]),
    change(id, part) {
      if (find(id) === undefined) return;
      replace(items().map((item) => (item.id === id ? { ...item, ...part } : item)));
    },
    drop(id) {
      const item = find(id);
      if (item === undefined) return;
      if (item.thumbnail.state === "ready") URL.revokeObjectURL(item.thumbnail.url);
      replace(items().filter((other) => other.id !== id));
    },
    subscribe,
  };
}
