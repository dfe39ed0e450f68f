// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { press } from "#test/harness/press.ts";
import { stubFetch } from "#test/harness/stub-fetch.ts";
import { openPublicPage } from "#web/app/public-page.fixture.tsx";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
import { CommentsSection } from "./comments-section.tsx";

const comment = (text: string, digit: number) => ({
  id: `0190000${digit}-0000-7000-8000-000000000000`,
  name: null,
  text,
  createdAt: "2026-01-01T00:00:00.000Z",
});

test("lists a comment that was just sent once, and only on the first page", async () => {
  const [first, second, mine] = ["First", "Second", "Mine"].map(comment);
  const path = "/api/videos/tides/comments";
  const { server, router } = await openPublicPage("/comments/tides", {
    "GET /api/videos/tides": adminVideo({}),
    [`GET ${path}`]: { comments: [second], nextCursor: "c" },
    [`GET ${path}?cursor=c`]: { comments: [first], nextCursor: null },
    [`POST ${path}`]: { comment: mine },
  });
  const texts = () =>
    [...document.querySelectorAll("li [dir=auto]")].map(({ textContent }) => textContent);
  await act(async () => void fireEvent.submit(screen.getByRole("form")));
  expect(texts()).toEqual(["Mine", "Second"]);
  await act(() => router.navigate("/comments/tides?cursor=c"));
  expect(texts()).toEqual(["First"]);
  server.reply(`GET ${path}`, { comments: [mine, second], nextCursor: "c" });
  await act(() => router.navigate("/comments/tides"));
  expect(texts()).toEqual(["Mine", "Second"]);
});

test("moves the focus from More comments to the first new comment of the last page", async () => {
  const [first, second, third, last] = ["First", "Second", "Third", "Last"].map(comment);
  const path = "GET /api/videos/tides/comments";
  stubFetch({
    [path]: { comments: [last], nextCursor: "a" },
    [`${path}?cursor=a`]: { comments: [third], nextCursor: "b" },
    [`${path}?cursor=b`]: { comments: [second, first], nextCursor: null },
  });
  render(<CommentsSection slug="tides" />);
  const more = await screen.findByRole("button", { name: "More comments" });
  // Safari doesn't focus buttons that are clicked.
  await act(async () => press("More comments"));
  await screen.findByText("Third");
  expect(document.activeElement).toBe(document.body);
  act(() => more.focus());
  await act(async () => press("More comments"));
  expect(document.activeElement).toBe((await screen.findByText("Second")).closest("li"));
});
