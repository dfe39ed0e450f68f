// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { LabelKind } from "#contract/lists/labels.ts";
import { labelMessages } from "./messages.ts";
import { LabelFormDialog } from "./label-form.tsx";

const saved = {
  id: "11111111-1111-4111-8111-111111111111",
  name: "Nature",
  slug: "nature",
  description: null,
  imageUrl: null,
  coverUrl: null,
  isPodcast: false,
  videoCount: 0,
  isSeries: false,
  createdAt: "2026-03-04T10:00:00.000Z",
};

function open(kind: LabelKind = "categories") {
  const messages = labelMessages(kind);
  const send = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(saved));
  const onClose = vi.fn(() => view.unmount());
  const view = render(
    <QueryClientProvider client={new QueryClient()}>
      <LabelFormDialog kind={kind} messages={messages} item={null} onClose={onClose} />
    </QueryClientProvider>,
  );
  const field = (name: RegExp) => screen.getByRole("textbox", { name });
  const submit = () => fireEvent.click(screen.getByRole("button", { name: messages.create }));
  return { messages, send, onClose, field, submit };
}

it("sends a form once when its button is pressed twice", async () => {
  const { send, onClose, field, submit } = open();
  fireEvent.change(field(/^Name/), { target: { value: "Nature" } });
  submit();
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(send).toHaveBeenCalledTimes(1);
});

it("sends whether the feed is a podcast", async () => {
  const { messages, send, onClose, field, submit } = open();
  fireEvent.change(field(/^Name/), { target: { value: "Nature" } });
  fireEvent.click(screen.getByRole("switch", { name: messages.podcast }));
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(send.mock.calls[0]?.[1]?.body).toContain('"isPodcast":true');
});

it("sends a corrected form as soon as the response to the first one is here", async () => {
  const { send, onClose, field, submit } = open();
  const taken = { code: "conflict", message: "The name is already taken." };
  send.mockResolvedValueOnce(Response.json(taken, { status: 409 }));
  fireEvent.change(field(/^Name/), { target: { value: "Taken" } });
  submit();
  await screen.findByText(taken.message);
  fireEvent.change(field(/^Name/), { target: { value: "Nature" } });
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(send).toHaveBeenCalledTimes(2);
});

it("sends corrections of a new actor whose picture was refused", async () => {
  const { send, onClose, field, submit } = open("actors");
  const refusal = { code: "unsupported_media", message: "This isn't a picture." };
  fireEvent.change(field(/^Name/), { target: { value: "Nature" } });
  const files = [new File(["no picture"], "nature.png", { type: "image/png" })];
  const choose = () =>
    fireEvent.change(document.querySelector("input[type=file]") ?? document, { target: { files } });
  choose();
  send.mockImplementation(() => Promise.resolve(Response.json(saved)));
  send.mockResolvedValueOnce(Response.json(saved));
  send.mockResolvedValueOnce(Response.json(refusal, { status: 415 }));
  submit();
  await screen.findByText(refusal.message);
  fireEvent.change(field(/^Description/), { target: { value: "Outside" } });
  submit();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const one = `/api/actors/${saved.id}`;
  expect(send.mock.calls.map(([url, options]) => [options?.method, url, options?.body])).toEqual([
    ["POST", "/api/actors", expect.stringContaining("Nature")],
    ["PUT", `${one}/picture`, files[0]],
    ["PUT", one, JSON.stringify({ description: "Outside" })],
    ["PUT", `${one}/picture`, files[0]],
  ]);
});

it("repeats a request without a response under the same key", async () => {
  const { send, onClose, field, submit } = open();
  send.mockRejectedValueOnce(new TypeError("network"));
  vi.useFakeTimers({ toFake: ["setTimeout"], shouldAdvanceTime: true });
  try {
    fireEvent.change(field(/^Name/), { target: { value: "Lost" } });
    submit();
    await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
    await vi.advanceTimersByTimeAsync(1000);
    submit();
    await waitFor(() => expect(onClose).toHaveBeenCalled());
  } finally {
    vi.useRealTimers();
  }
  const keys = send.mock.calls.map(([, options]) =>
    new Headers(options?.headers).get("idempotency-key"),
  );
  expect(keys[0]).toMatch(/^[\w-]{16,}$/);
  expect(keys[1]).toBe(keys[0]);
});
