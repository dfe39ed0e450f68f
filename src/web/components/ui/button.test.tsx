// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Button } from "./button.tsx";

const open = () => {
  const save = vi.fn();
  const send = vi.fn((event: Event) => event.preventDefault());
  const form = (isDisabled: boolean) => (
    <form onSubmit={(event) => send(event.nativeEvent)}>
      <Button type="submit" disabled={isDisabled} onClick={save}>
        Save
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Save" });
  return { button, save, send, disable: (isDisabled = true) => rerender(form(isDisabled)) };
};

it("keeps the focus while it is disabled, and ignores presses", () => {
  const { button, save, send, disable } = open();
  act(() => button.focus());
  disable();
  expect(document.activeElement).toBe(button);
  expect(button.disabled).toBe(false);
  expect(button.getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(button);
  expect(save).not.toHaveBeenCalled();
  expect(send).not.toHaveBeenCalled();
  disable(false);
  expect(button.hasAttribute("aria-disabled")).toBe(false);
  fireEvent.click(button);
  expect(save).toHaveBeenCalledOnce();
  expect(send).toHaveBeenCalledOnce();
});

it("calls the handlers of focus that it gets", () => {
  const [onFocus, onBlur] = [vi.fn(), vi.fn()];
  render(
    <Button onFocus={onFocus} onBlur={onBlur}>
      Save
    </Button>,
  );
  const button = screen.getByRole("button", { name: "Save" });
  act(() => button.focus());
  expect(onFocus).toHaveBeenCalledOnce();
  act(() => button.blur());
  expect(onBlur).toHaveBeenCalledOnce();
});

it("leaves the order of focus when the focus moves on while it is disabled", () => {
  const { button, disable } = open();
  act(() => button.focus());
  disable();
  fireEvent.blur(button);
  expect(button.disabled).toBe(true);
  expect(button.hasAttribute("aria-disabled")).toBe(false);
});
