// @vitest-environment happy-dom
import { expect, onTestFinished, test } from "vitest";
import { watchOuterGestures } from "./outer-gestures.ts";

test.each([
  [".beside", [1]],
  ["textarea", []],
  ["section p", []],
])("handles a mouse drag that starts on %s", (query, expected) => {
  const area = document.body.appendChild(document.createElement("div"));
  area.innerHTML = `<div class="beside"></div>
    <aside class="feed-panel"><section><textarea></textarea><p>A comment</p></section></aside>`;
  const life = new AbortController();
  onTestFinished(() => {
    life.abort();
    area.remove();
  });
  const moves: number[] = [];
  watchOuterGestures({
    area,
    scroller: document.createElement("div"),
    move: (direction) => moves.push(direction),
    signal: life.signal,
  });
  const at = (clientY: number) => ({ bubbles: true, pointerType: "mouse", clientX: 60, clientY });
  area.querySelector(query)?.dispatchEvent(new PointerEvent("pointerdown", at(500)));
  window.dispatchEvent(new PointerEvent("pointerup", at(400)));
  expect(moves).toEqual(expected);
});
