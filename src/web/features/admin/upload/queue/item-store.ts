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
  let items: readonly UploadItem[] = [];
  const listeners = new Set<() => void>();

  function setItems(next: readonly UploadItem[]): void {
    items = next;
    for (const listener of listeners) listener();
  }
  const find = (id: string) => items.find((item) => item.id === id);

  return {
    items: () => items,
    find,
    add: (added) => setItems([...items, ...added]),
    change(id, part) {
      if (find(id) === undefined) return;
      setItems(items.map((item) => (item.id === id ? { ...item, ...part } : item)));
    },
    drop(id) {
      const item = find(id);
      if (item === undefined) return;
      if (item.thumbnail.state === "ready") URL.revokeObjectURL(item.thumbnail.url);
      setItems(items.filter((other) => other.id !== id));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
