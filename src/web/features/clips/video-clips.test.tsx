// @vitest-environment happy-dom
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { stubFetch } from "#test/harness/stub-fetch.ts";
import { adminVideo } from "#web/features/admin/videos/video.fixture.ts";
import { VideoClips } from "./video-clips.tsx";

it("removes the clips of a video as soon as another one is shown", async () => {
  stubFetch({
    "GET /api/videos/tides/clips": [adminVideo({ slug: "high-tide", title: "High tide" })],
    "GET /api/videos/waves/clips": new Promise(() => {}),
  });
  const { rerender } = render(<VideoClips video={adminVideo()} />);
  await screen.findByText("High tide");
  rerender(<VideoClips video={adminVideo({ slug: "waves" })} />);
  expect(screen.queryByText("High tide")).toBeNull();
});
