// @vitest-environment happy-dom
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { stubFetch } from "#test/harness/stub-fetch.ts";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
import { keptMax } from "#web/lib/visitor-library/library-data.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import { Toaster } from "../ui/toast.tsx";
import { SaveMenu } from "./save-menu.tsx";

test("says that a playlist is full instead of adding a video", async () => {
  const id = library.createPlaylist("Evening")?.id ?? "";
  for (let number = 0; number < keptMax; number += 1) {
    const slug = `video-${number}`;
    library.addToPlaylist(id, { slug, title: slug, thumbnail: null, durationS: 60 });
  }
  stubFetch({ "GET /api/videos/tides": adminVideo({ slug: "tides", title: "Tides" }) });
  render(
    <>
      <Toaster />
      <SaveMenu anchor={document.body} slug="tides" onClose={() => {}} />
    </>,
  );
  fireEvent.click(screen.getByRole("menuitemcheckbox", { name: "Evening" }));
  const notice = await screen.findByText(/^Evening is full/);
  expect(notice.textContent).toBe("Evening is full. Remove a video to add another.");
});

test("saves a video for later once if it is pressed twice before the video has loaded", async () => {
  const video = Promise.withResolvers<object>();
  stubFetch({ "GET /api/videos/tides": video.promise });
  render(
    <>
      <Toaster />
      <SaveMenu anchor={document.body} slug="tides" onClose={() => {}} />
    </>,
  );
  const later = screen.getByRole("menuitemcheckbox", { name: "Watch later" });
  fireEvent.click(later);
  fireEvent.click(later);
  video.resolve(adminVideo({ slug: "tides", title: "Tides" }));
  expect(await screen.findAllByText("Added to Watch later")).not.toEqual([]);
  await waitFor(() => expect(later.getAttribute("aria-checked")).toBe("true"));
  await act(async () => {});
  expect(library.get().later.map(({ slug }) => slug)).toEqual(["tides"]);
});
