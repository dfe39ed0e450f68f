// @vitest-environment happy-dom
import { render } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { press } from "#test/harness/press.ts";
import { FileButtons } from "./file-buttons.tsx";

it("leaves the browser time to save an exported file", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:x");
  const revoke = vi.spyOn(URL, "revokeObjectURL");
  render(<FileButtons />);
  press("Export");
  vi.advanceTimersByTime(10_000);
  expect(revoke).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(revoke).toHaveBeenCalledExactlyOnceWith("blob:x");
});
