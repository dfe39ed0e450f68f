import { expect, it } from "vitest";
import { createReadBuffers } from "./read-buffers.ts";

const options = { bytes: 1000, count: 2, smallBytes: 100 };

it("uses a buffer again that was given back", () => {
  const buffers = createReadBuffers(options);
  const first = buffers.take(5000);
  expect(first.bytes).toHaveLength(1000);
  first.giveBack(true);
  const second = buffers.take(700);
  expect(second.bytes).toHaveLength(700);
  expect(second.bytes.buffer).toBe(first.bytes.buffer);
});

it("never uses a buffer again whose bytes may still be in use", () => {
  const buffers = createReadBuffers(options);
  const first = buffers.take(5000);
  first.giveBack(false);
  expect(buffers.take(5000).bytes.buffer).not.toBe(first.bytes.buffer);
});

it("gives small buffers to small reads and when the large ones are taken", () => {
  const buffers = createReadBuffers(options);
  expect(buffers.take(40).bytes).toHaveLength(40);
  const taken = [buffers.take(5000), buffers.take(5000)];
  expect(buffers.take(5000).bytes).toHaveLength(100);
  taken[0]?.giveBack(false);
  expect(buffers.take(5000).bytes).toHaveLength(1000);
});
