import { createStore } from "#web/lib/store.ts";
import type { UploadItem } from "./upload-item.ts";

/** List for `useSyncExternalStore`. Every change creates a new array. */
export function createItemStore() {
  const { get: items, replace, subscribe } = createStore<readonly UploadItem[]>([]);
  const find = (id: string) => items().find((item) => item.id === id);

  return {
    items,
    find,
    add: (added: readonly UploadItem[]): void => replace([...items(), ...added]),
    change(id: string, part: Partial<UploadItem>): void {
      if (find(id) === undefined) return;
      replace(items().map((item) => (item.id === id ? { ...item, ...part } : item)));
    },
    drop(id: string): void {
      const item = find(id);
      if (item === undefined) return;
      if (item.thumbnail.state === "ready") URL.revokeObjectURL(item.thumbnail.url);
      replace(items().filter((other) => other.id !== id));
    },
    subscribe,
  };
}

export type ItemStore = ReturnType<typeof createItemStore>;
