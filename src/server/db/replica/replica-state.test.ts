import { expect, test } from "vitest";
import { createReplicaState } from "./replica.ts";

test("computes a replica's lag from the last replayed moment of the primary", () => {
  const state = createReplicaState(5000);
  expect(state.isUsable(0, 7)).toBe(false);
  state.notePrimary(100, 1000);
  state.notePrimary(200, 2000);
  state.noteReplica({ replayed: 150, version: 7 });
  expect(state.lagMs(2500)).toBe(1500);
  expect(state.isUsable(6000, 7)).toBe(true);
  expect(state.isUsable(6001, 7)).toBe(false);
  state.noteReplica({ replayed: 200, version: 7 });
  expect(state.lagMs(2500)).toBe(500);
});

test("doesn't use a replica that lacks the newest known change", () => {
  const state = createReplicaState(5000);
  state.notePrimary(100, 0);
  state.noteReplica({ replayed: 100, version: 7 });
  expect([state.isUsable(0, 7), state.isUsable(0, 8), state.isUsable(0, null)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("doesn't use a replica that failed or replays nothing", () => {
  const state = createReplicaState(5000);
  for (let atMs = 0; atMs <= 6000; atMs += 1000) {
    state.notePrimary(100 + atMs, atMs);
    state.noteReplica({ replayed: 100, version: 7 });
  }
  expect([state.isUsable(5000, 7), state.isUsable(6000, 7)]).toEqual([true, false]);
  state.noteReplica({ replayed: 9000, version: 7 });
  expect(state.isUsable(6000, 7)).toBe(true);
  state.noteFailure();
  expect(state.isUsable(6000, 7)).toBe(false);
});
