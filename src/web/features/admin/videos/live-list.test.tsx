// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { act, render, waitFor } from "@testing-library/react";
import { videoListKey } from "./calls.ts";
import { useLiveList } from "./live-list.ts";

const id = "11111111-1111-4111-8111-111111111111";
const streams: EventTarget[] = [];

class Stream extends EventTarget {
  constructor() {
    super();
    streams.push(this);
  }
  close(): void {}
}

afterEach(() => vi.unstubAllGlobals());

it("reloads a changed video, and until then only updates the progress of its row", async () => {
  vi.stubGlobal("EventSource", Stream);
  const reloaded = Promise.withResolvers<unknown>();
  const row = {
    id,
    title: "Old title",
    version: 1,
    status: "processing",
    progress: 0.1,
    isPublished: false,
  };
  const load = vi
    .fn<() => Promise<unknown>>()
    .mockResolvedValueOnce({ videos: [row], total: 1 })
    .mockReturnValueOnce(reloaded.promise);
  const client = new QueryClient();
  function List() {
    useLiveList(() => undefined);
    const list = useQuery({ queryKey: [...videoListKey, "shown"], queryFn: load });
    return <p>{JSON.stringify(list.data)}</p>;
  }
  const { container } = render(
    <QueryClientProvider client={client}>
      <List />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(container.textContent).toContain("Old title"));

  const event = {
    type: "video",
    id,
    status: "processing",
    progress: 0.4,
    failureReason: null,
    isPublished: true,
    thumbnail: null,
    version: 2,
  };
  const message = new MessageEvent("message", { data: JSON.stringify(event) });
  await act(async () => streams[0]?.dispatchEvent(message));
  await waitFor(() => expect(container.textContent).toContain('"progress":0.4'));
  expect(container.textContent).toContain('"version":1');
  expect(container.textContent).toContain('"isPublished":false');
  await waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  const edited = { ...row, title: "New title", isPublished: true, version: 2 };
  await act(async () => reloaded.resolve({ videos: [edited], total: 1 }));
  await waitFor(() => expect(container.textContent).toContain('"title":"New title","version":2'));
});
