// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { createWheelGate, watchWheel } from "./wheel-gate.ts";

function run(events: [deltaPx: number, atMs: number][]): number[] {
  const gate = createWheelGate();
  return events.map(([deltaPx, atMs]) => gate.feed(deltaPx, atMs)).filter((move) => move !== 0);
}

test("moves once per mouse notch", () => {
  expect(
    run([
      [120, 0],
      [120, 500],
      [-120, 1000],
      [120, 1500],
    ]),
  ).toEqual([1, 1, -1, 1]);
});

test("moves once per wheel flick, even if it sends several notches", () => {
  const events = Array.from({ length: 20 }, (_, index): [number, number] => [120, index * 50]);
  expect(run(events)).toEqual([1]);
});

test("moves once on a hard flick with inertia after a notch", () => {
  const sizes = Array.from({ length: 60 }, (_, index) => Math.round(400 * 0.93 ** index));
  const events = [20, 90, 240, ...sizes].map((size, at): [number, number] => [size, at * 16]);
  expect(run(events)).toEqual([1]);
});

test("moves once when a busy browser merges inertia events", () => {
  const sizes = Array.from({ length: 40 }, (_, index) =>
    Math.round(90 * 0.93 ** index * (index % 9 === 8 ? 2 : 1)),
  );
  expect(run(sizes.map((size, at): [number, number] => [size, at * 20]))).toEqual([1]);
});

test("moves once on a trackpad flick with inertia", () => {
  const sizes = [
    4, 12, 30, 60, 80, 74, 66, 58, 50, 43, 37, 31, 26, 22, 18, 15, 12, 10, 8, 6, 5, 4, 3, 2, 1, 1,
    1,
  ];
  const events = sizes.map((size, index): [number, number] => [size, index * 16]);
  expect(run(events)).toEqual([1]);
});

test("moves again on a second flick during the first one's inertia", () => {
  const flick = [10, 40, 70, 60, 48, 38, 30, 24, 19, 15, 12, 9, 7, 6, 5, 4, 4, 3, 3, 3, 2, 2];
  const events = [...flick, ...flick].map((size, index): [number, number] => [size, index * 16]);
  expect(run(events)).toEqual([1, 1]);
});

test("ignores tiny movements on a trackpad", () => {
  const events = Array.from({ length: 6 }, (_, index): [number, number] => [2, index * 16]);
  expect(run(events)).toEqual([]);
});

test("moves back on a reversed gesture", () => {
  expect(
    run([
      [60, 0],
      [50, 20],
      [-60, 400],
    ]),
  ).toEqual([1, -1]);
});

test("moves once per slow mouse notch in Chrome on a Mac, but not on a small trackpad move", () => {
  const life = new AbortController();
  onTestFinished(() => life.abort());
  const area = document.createElement("div");
  const move = vi.fn();
  watchWheel(area, move, life.signal);
  let timeStamp = 0;
  for (const deltaY of [4.000244140625, 4, 0, -4.000244140625, 12.000732421875]) {
    const event = new WheelEvent("wheel", { deltaY });
    timeStamp += 1000;
    Object.defineProperty(event, "timeStamp", { value: timeStamp });
    area.dispatchEvent(event);
  }
  expect(move.mock.calls).toEqual([[1], [-1], [1]]);
});

test("leaves the wheel in a panel to a comment that wasn't sent", () => {
  const life = new AbortController();
  const area = document.body.appendChild(document.createElement("div"));
  onTestFinished(() => {
    life.abort();
    area.remove();
  });
  area.innerHTML = `<p></p><aside class="feed-panel"><textarea></textarea></aside>`;
  const [frame, field] = [area.querySelector("p"), area.querySelector("textarea")];
  const move = vi.fn();
  watchWheel(area, move, life.signal);
  let timeStamp = 0;
  const turn = (target: Element | null) => {
    const event = new WheelEvent("wheel", { deltaY: 120, bubbles: true, cancelable: true });
    timeStamp += 1000;
    Object.defineProperty(event, "timeStamp", { value: timeStamp });
    target?.dispatchEvent(event);
    return [event.defaultPrevented, move.mock.calls.length];
  };
  expect(turn(field)).toEqual([true, 1]);
  if (field !== null) field.value = "Half a comment";
  expect(turn(field)).toEqual([false, 1]);
  expect(turn(frame)).toEqual([true, 2]);
});
