// @vitest-environment happy-dom
import { render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { press } from "#test/harness/press.ts";
import { CopyDialog } from "./copy-dialog.tsx";
import { notify } from "./notices.tsx";

const messages = { copied: "Secret copied", copyFailed: "Couldn't copy the secret" };

function open(canCopy: boolean) {
  // As over plain HTTP.
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as never);
  const copied: unknown[] = [];
  document.execCommand = () => {
    copied.push(document.querySelector<HTMLTextAreaElement>("[role=dialog] textarea")?.value);
    return canCopy;
  };
  render(
    <CopyDialog
      title="Secret"
      description="Shown once"
      value="s3cret"
      copyLabel="Copy secret"
      messages={messages}
      onClose={() => {}}
    />,
  );
  press("Copy secret");
  return copied;
}

afterEach(() => {
  Reflect.deleteProperty(document, "execCommand");
});

it("copies over plain HTTP by a selection inside the dialog", async () => {
  const success = vi.spyOn(notify, "success").mockReturnValue();
  const copied = open(true);
  await waitFor(() => expect(success).toHaveBeenCalledWith("Secret copied"));
  expect(copied).toEqual(["s3cret"]);
  expect(screen.getByRole("dialog").querySelector("textarea")).toBeNull();
});

it("says that the browser refuses to copy", async () => {
  const failure = vi.spyOn(notify, "failure").mockReturnValue();
  open(false);
  await waitFor(() => expect(failure).toHaveBeenCalledWith("Couldn't copy the secret"));
});
