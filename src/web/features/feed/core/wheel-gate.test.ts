import { expect, test } from "vitest";
import { createWheelGate } from "./wheel-gate.ts";

function run(events: [deltaPx: number, atMs: number][]): number[] {
  const gate = createWheelGate();
  return events.map(([deltaPx, atMs]) => gate.feed(deltaPx, atMs)).filter((move) => move !== 0);
}

test("each notch of a mouse is one move", () => {
  expect(
    run([
      [120, 0],
      [120, 500],
      [-120, 1000],
      [120, 1500],
    ]),
  ).toEqual([1, 1, -1, 1]);
});

test("a flick of a wheel is one move, however many notches it sends", () => {
  const events = Array.from({ length: 20 }, (_, index): [number, number] => [120, index * 50]);
  expect(run(events)).toEqual([1]);
});

test("a hard flick with inertia above the size of a notch is one move", () => {
  const sizes = Array.from({ length: 60 }, (_, index) => Math.round(400 * 0.93 ** index));
  const events = [20, 90, 240, ...sizes].map((size, at): [number, number] => [size, at * 16]);
  expect(run(events)).toEqual([1]);
});

test("inertia whose events a busy browser merges is one move", () => {
  const sizes = Array.from({ length: 40 }, (_, index) =>
    Math.round(90 * 0.93 ** index * (index % 9 === 8 ? 2 : 1)),
  );
  expect(run(sizes.map((size, at): [number, number] => [size, at * 20]))).toEqual([1]);
});

test("a flick of a trackpad with its inertia is one move", () => {
  const sizes = [
    4, 12, 30, 60, 80, 74, 66, 58, 50, 43, 37, 31, 26, 22, 18, 15, 12, 10, 8, 6, 5, 4, 3, 2, 1, 1,
    1,
  ];
  const events = sizes.map((size, index): [number, number] => [size, index * 16]);
  expect(run(events)).toEqual([1]);
});

test("a second flick during the inertia of the first is a second move", () => {
  const flick = [10, 40, 70, 60, 48, 38, 30, 24, 19, 15, 12, 9, 7, 6, 5, 4, 4, 3, 3, 3, 2, 2];
  const events = [...flick, ...flick].map((size, index): [number, number] => [size, index * 16]);
  expect(run(events)).toEqual([1, 1]);
});

test("tiny movements on a trackpad move nothing", () => {
  const events = Array.from({ length: 6 }, (_, index): [number, number] => [2, index * 16]);
  expect(run(events)).toEqual([]);
});

test("a reversed gesture is a move back", () => {
  expect(
    run([
      [60, 0],
      [50, 20],
      [-60, 400],
    ]),
  ).toEqual([1, -1]);
});
