// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Dialog } from "./dialog.tsx";

it("keeps the focus inside if Tab is pressed again before the next frame", async () => {
  render(
    <>
      <button type="button">Behind</button>
      <Dialog title="In front" onClose={() => undefined}>
        <button type="button">Inside</button>
      </Dialog>
    </>,
  );
  await screen.findByRole("dialog", { name: "In front" });
  const edge = [...document.querySelectorAll<HTMLElement>("[data-base-ui-focus-guard]")].at(-1);
  if (edge === undefined) throw new Error("The dialog has no edge");
  act(() => screen.getByText("Inside").focus());
  expect(fireEvent.keyDown(document.activeElement ?? document, { key: "Tab" })).toBe(true);
  act(() => edge.focus());
  // False, because the browser would move the focus out of the dialog.
  expect(fireEvent.keyDown(edge, { key: "Tab" })).toBe(false);
});
