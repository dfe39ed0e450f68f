// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { UploadOptions } from "tus-js-client";
import { expect, it, onTestFinished, vi } from "vitest";
import { choose, press } from "#test/harness/press.ts";
import { failure, stubFetch } from "#test/harness/stub-fetch.ts";
import { ConfirmHost } from "#web/components/ui/confirm-dialog.tsx";
import { Toaster } from "#web/components/ui/toast.tsx";
import { NoticeHost } from "../../shared/notices.tsx";
import { createAdminQueryClient } from "../../shared/query-client.ts";
import { endSignIn } from "../../shared/session-renewal.ts";
import { adminVideo } from "../video.fixture.ts";
import { ReplaceFile } from "./replace-file.tsx";

const video = adminVideo();
const path = `/api/admin/videos/${video.id}/file`;

/** Opens the section, and sends every byte of a new file. */
async function sendFile(replies: Record<string, unknown>) {
  vi.doMock("tus-js-client", () => ({
    Upload: class {
      url = "/api/uploads/new-file";
      readonly options: UploadOptions;
      constructor(_file: File, options: UploadOptions) {
        this.options = options;
      }
      start(): void {
        this.options.onUploadUrlAvailable?.();
        this.options.onSuccess?.({ lastResponse: null as never });
      }
      async abort(): Promise<void> {}
    },
  }));
  onTestFinished(() => vi.doUnmock("tus-js-client"));
  const server = stubFetch(replies);
  render(
    <QueryClientProvider client={createAdminQueryClient()}>
      <ReplaceFile video={video} replacement={null} />
      <ConfirmHost />
      <NoticeHost />
      <Toaster />
    </QueryClientProvider>,
  );
  const file = new File(["bytes"], "new.mp4", { type: "video/mp4" });
  fireEvent.change(screen.getByLabelText("Replace file", { selector: "input" }), {
    target: { files: [file] },
  });
  await choose(
    "Replace this video's file with new.mp4? The current file plays until the new one is ready. The address, views, likes, comments and captions stay.",
    "Replace file",
  );
  await waitFor(() => expect(server.sentTo(`POST ${path}`)).not.toEqual([]));
  return server;
}

it("keeps the current file if the user stops while the server takes the new one", async () => {
  const taken = Promise.withResolvers<object>();
  const server = await sendFile({ [`POST ${path}`]: taken.promise, [`DELETE ${path}`]: video });
  press("Stop");
  await act(async () => taken.resolve(video));
  await screen.findByRole("button", { name: "Replace file" });
  expect(server.sentTo(`DELETE ${path}`)).toHaveLength(1);
  expect(screen.queryByText(/Processing the new file|Failed to replace/)).toBeNull();
});

it("doesn't send a stopped file again after the user has signed in", async () => {
  const server = await sendFile({ [`POST ${path}`]: failure(401) });
  press("Stop");
  await act(async () => endSignIn(true));
  await screen.findByRole("button", { name: "Replace file" });
  expect(server.sentTo(`POST ${path}`)).toHaveLength(1);
  expect(screen.queryByText(/Processing the new file|Failed to replace/)).toBeNull();
});

it("stops at once while it waits to repeat a request", async () => {
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms?: number) =>
    // The second wait never ends by itself.
    ms === 500 ? 0 : setTimeout(run, ms)) as typeof setTimeout);
  const server = await sendFile({ [`POST ${path}`]: failure(502), [`DELETE ${path}`]: video });
  await waitFor(() => expect(server.sentTo(`POST ${path}`)).toHaveLength(2));
  press("Stop");
  await screen.findByRole("button", { name: "Replace file" });
  expect(server.sentTo(`POST ${path}`)).toHaveLength(2);
});

it.each([
  ["a damaged file", failure(422, "This isn't a video."), "This isn't a video."],
  ["someone else's new file", failure(409, "Being processed.", "conflict"), "Being processed."],
])("doesn't repeat a request that is refused because of %s", async (_name, refusal, reason) => {
  const server = await sendFile({ [`POST ${path}`]: refusal });
  await screen.findByText(`Failed to replace the file: ${reason}`);
  expect(server.sentTo(`POST ${path}`)).toHaveLength(1);
});

it.each([
  ["a lost connection", new TypeError("Failed to fetch"), "Network error"],
  ["status 502", failure(502), "Unknown error"],
])("keeps the uploaded file after %s", async (_name, failed, reason) => {
  const taken = Promise.withResolvers<object>();
  const replies: unknown[] = [failed, failed];
  const server = await sendFile({ [`POST ${path}`]: () => replies.shift() ?? taken.promise });
  await screen.findByText(`Upload paused, retrying: ${reason}`);
  await act(async () => taken.resolve(video));
  await screen.findByRole("button", { name: "Replace file" });
  screen.getByText("Processing the new file");
  expect(server.sentTo(`POST ${path}`)).toHaveLength(3);
});
