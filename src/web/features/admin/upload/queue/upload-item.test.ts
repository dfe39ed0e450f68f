import { expect, test, vi } from "vitest";
import { createItemStore, newItem, percentOf } from "./upload-item.ts";

test("rounds percentages down and reaches 100 only at the end", () => {
  expect(percentOf({ sentBytes: 999, sizeBytes: 1000 })).toBe(99);
  expect(percentOf({ sentBytes: 1000, sizeBytes: 1000 })).toBe(100);
  expect(percentOf({ sentBytes: 0, sizeBytes: 0 })).toBe(0);
});

test("frees the picture of a thumbnail when another one replaces it", () => {
  const revoke = vi.spyOn(URL, "revokeObjectURL");
  const store = createItemStore();
  const item = newItem(new File(["bytes"], "clip.mp4"));
  store.add([item]);
  const thumbnail = { state: "ready", blob: new Blob(), isReplacement: false } as const;
  store.change(item.id, { thumbnail: { ...thumbnail, url: "blob:first" } });
  store.change(item.id, { sentBytes: 1 });
  expect(revoke).not.toHaveBeenCalled();
  store.change(item.id, { thumbnail: { ...thumbnail, url: "blob:second" } });
  expect(revoke.mock.calls).toEqual([["blob:first"]]);
  store.drop(item.id);
  expect(revoke).toHaveBeenLastCalledWith("blob:second");
});
