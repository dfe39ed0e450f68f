// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPublicPage } from "#web/app/public-page.fixture.tsx";

it("lists labels in the alphabetical order of the language, with numbers by value", async () => {
  const names = ["Part 10", "Part 2", "Zoe", "apple", "Äpfel", "Łódź", "Émile", "Lima", "Mia"];
  const label = (name: string) => ({
    id: "11111111-1111-4111-8111-111111111111",
    name,
    slug: name,
    description: null,
    imageUrl: null,
    coverUrl: null,
    videoCount: 1,
    isSeries: false,
    isPodcast: false,
    createdAt: "2026-03-04T10:00:00.000Z",
  });
  await openPublicPage("/tags", { "GET /api/tags": names.map(label) });
  const links = within(screen.getByRole("main")).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("title"))).toEqual([
    ...["Äpfel", "apple", "Émile", "Lima", "Łódź", "Mia", "Part 2", "Part 10", "Zoe"],
  ]);
});
