// @vitest-environment happy-dom
import { act, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Dialog } from "./dialog.tsx";
import { toast, Toaster } from "./toast.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  // Ends the toasts, which outlive their page.
  act(() => void vi.runOnlyPendingTimers());
  vi.useRealTimers();
});

const page = (dialogs: string[]) => (
  <>
    <Toaster />
    {dialogs.map((title) => (
      <Dialog key={title} title={title} onClose={() => undefined} footer={<button>Add</button>}>
        <input aria-label="Name" />
      </Dialog>
    ))}
  </>
);

it("shows messages inside the open dialog, above its buttons", () => {
  const view = render(page(["Outer", "Inner"]));
  act(() => toast.error("Failed to add"));
  const inner = screen.getByRole("dialog", { name: "Inner" });
  const message = within(inner).getByText("Failed to add");
  const add = within(inner).getByText("Add");
  expect(message.compareDocumentPosition(add) & Node.DOCUMENT_POSITION_FOLLOWING).not.toBe(0);
  view.rerender(page(["Outer"]));
  within(screen.getByRole("dialog", { name: "Outer" })).getByText("Failed to add");
  view.rerender(page([]));
  screen.getByText("Failed to add");
});

it("announces messages of a dialog, which come after the live region", () => {
  render(page(["Outer"]));
  const region = screen.getByRole("dialog").querySelector<HTMLElement>("[aria-live=polite]");
  if (region === null) throw new Error("no live region");
  expect(region.textContent).not.toContain("Added");
  act(() => toast.success("Added"));
  within(region).getByText("Added");
});
