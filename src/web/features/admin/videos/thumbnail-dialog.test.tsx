// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ThumbnailDialog } from "./thumbnail-dialog.tsx";
import { adminVideo } from "./video.fixture.ts";

const reading = vi.hoisted(() => ({ finish: [] as (() => void)[], askedS: [] as number[] }));
vi.mock("./frame-picker.ts", () => ({
  spreadMoments: () => [],
  openFrames: async () => ({
    durationS: 8,
    read: (atS: number) => {
      reading.askedS.push(atS);
      return new Promise<Blob>((resolve) => reading.finish.push(() => resolve(new Blob(["x"]))));
    },
    close: () => undefined,
  }),
}));

it("shows the frame of each value that the slider gets, skipping those in between", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ThumbnailDialog video={adminVideo({ videoUrl: "/play.mp4" })} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  // A screen reader or voice control changes the value without a pointer or a key.
  const slider = await screen.findByRole("slider", { name: /^Different time/ });
  for (const value of ["3", "4", "5"]) fireEvent.input(slider, { target: { value } });
  await act(async () => reading.finish.shift()?.());
  expect(screen.queryByRole("img", { name: /^Frame at/ })).toBeNull();
  await act(async () => reading.finish.shift()?.());
  await screen.findByRole("img", { name: "Frame at 0:05" });
  expect(reading.askedS).toEqual([3, 5]);
});
