// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { fill } from "#test/harness/press.ts";
import { CaptionUpload } from "./caption-upload.tsx";

const choose = (name: string) =>
  fireEvent.change(screen.getByLabelText(/^File/), { target: { files: [new File([""], name)] } });
const isForced = () => screen.getByRole<HTMLInputElement>("switch", { name: "Forced" }).checked;
const valueOf = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;

test("takes language, name and flags from the chosen file alone, unless they were typed", () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <CaptionUpload videoId="v" onClose={() => undefined} />
    </QueryClientProvider>,
  );
  choose("film.fr.sdh.forced.srt");
  expect([valueOf(/^Language/), valueOf(/^Name/), isForced()]).toEqual([
    "fr",
    "Français (SDH)",
    true,
  ]);
  choose("film.de.srt");
  expect([valueOf(/^Language/), valueOf(/^Name/), isForced()]).toEqual(["de", "", false]);
  choose("film.sdh.srt");
  fill(/^Language/, "German");
  expect(valueOf(/^Name/)).toBe("Deutsch (SDH)");
  fill(/^Name/, "Directors");
  choose("film.cc.srt");
  expect([valueOf(/^Language/), valueOf(/^Name/), isForced()]).toEqual([
    "German",
    "Directors",
    false,
  ]);
});
