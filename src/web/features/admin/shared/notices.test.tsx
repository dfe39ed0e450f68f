// @vitest-environment happy-dom
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { ConfirmHost, confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { NoticeHost, notify } from "./notices.tsx";

it("keeps the focus in a dialog that opens while a notice is shown", async () => {
  render(
    <>
      <ConfirmHost />
      <NoticeHost />
    </>,
  );
  await act(async () => {
    notify.failure("Failed to save");
    void confirmAction("Delete it?", "Delete");
  });
  const dialog = await screen.findByRole("alertdialog");
  const dismiss = screen.getByRole("button", { name: "Dismiss" });
  expect(dialog.contains(dismiss)).toBe(true);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Cancel"));
  act(() => dismiss.focus());
  await act(async () => void fireEvent.click(dismiss));
  expect(screen.queryByText("Failed to save")).toBeNull();
  expect(document.activeElement).toBe(dialog);
});
