// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Label, Video } from "#contract/videos/videos.ts";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure, stubFetch, type Reply } from "#test/harness/stub-fetch.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { adminVideo } from "./video.fixture.ts";
import { hasDialog, list, listOf, openVideos, rowOf } from "./videos-page.fixture.tsx";

const filteredList = "GET /api/admin/videos";
const tides = adminVideo();
const one = `/api/videos/${tides.id}`;

/** Ways in which a change fails, with the reason that users read. */
const reasons = [
  [failure(422, "Not today."), "Not today."],
  [failure(500), "Unknown error"],
  [new TypeError("Failed to fetch"), "Network error"],
] as const;

it("keeps a scheduled time to the second unless it was changed", async () => {
  const publishAt = "2027-03-04T10:00:30.000Z";
  const video = adminVideo({ isPublished: false, publishAt });
  const { sent } = stubFetch({ [`PUT /api/admin/videos/${video.id}/schedule`]: video });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ScheduleDialog video={video} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  press("Schedule");
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ publishAt }]));
});

describe("the list", () => {
  it("shows title, duration, numbers, badges, categories and date of each video", async () => {
    const labels = ["Alpha", "Beta", "Gamma"].map((name): { category: Label } => ({
      category: { id: tides.id, name, slug: name.toLowerCase() },
    }));
    await openVideos([
      adminVideo({
        title: "Long evening",
        duration: 125,
        views: 12345,
        likes: 678,
        isPremium: true,
        categories: labels,
      }),
      adminVideo({
        id: "22222222-2222-4222-8222-222222222223",
        title: "Not shown yet",
        isPublished: false,
        publishAt: "2027-03-04T10:00:00.000Z",
      }),
    ]);
    await screen.findByText("Total: 2 videos");
    const row = within(await rowOf("Long evening"));
    for (const text of [
      "2:05",
      `${(12345).toLocaleString()} views`,
      "678 likes",
      "Published",
      "Premium",
      "Alpha, Beta +1",
      new Date(tides.createdAt).toLocaleDateString(),
    ]) {
      row.getByText(text);
    }
    const page = `/admin/videos/${tides.id}`;
    expect(row.getByRole("link", { name: "Long evening" }).getAttribute("href")).toBe(page);
    expect(row.queryByText(/^Scheduled/)).toBeNull();
    const planned = within(await rowOf("Not shown yet"));
    planned.getByText("Draft");
    planned.getByText(/^Scheduled · /);
    const titles = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(titles).toEqual(["", "Video", "Stats", "Status", "Categories", "Created", "Actions"]);
  });

  it("shows Ready for a video that plays while its larger versions are made", async () => {
    await openVideos([adminVideo({ status: "ready", progress: 0.4 })]);
    expect((await rowOf("Tides")).textContent).toContain("Ready · larger versions 40%");
  });

  it("says what to do about an empty list, with and without a search", async () => {
    await openVideos([]);
    await screen.findByText("No videos found.");
    screen.getByText("Upload your first video!");
    fill("Search videos", "zzz");
    await screen.findByText("Try adjusting your search.");
  });

  it("logs a failure, and shows it instead of an empty list, with total 0", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { server } = await openVideos([], { [list]: failure(404) });
    await screen.findByText("Failed to load the videos");
    expect(screen.queryByText("No videos found.")).toBeNull();
    screen.getByText("Total: 0 videos");
    expect(warn).toHaveBeenCalledWith("The list of videos failed", expect.anything());
    server.reply(list, listOf([tides]));
    press("Try Again");
    await rowOf("Tides");
  });

  it("requests 10 videos at a time, and returns to page 1 on a search", async () => {
    const { server, router } = await openVideos(
      [],
      { [list]: listOf([tides], 23) },
      "/admin/videos?page=3",
    );
    await screen.findByText("Showing 21 to 23 of 23 videos");
    const asked = () => server.sent.filter(({ url }) => url.startsWith("/api/videos?")).at(-1)?.url;
    expect(asked()).toBe("/api/videos?limit=10&offset=20");
    expect(screen.getByRole("button", { name: "Next" }).matches(":disabled")).toBe(true);
    press("Page 1");
    await screen.findByText("Showing 1 to 10 of 23 videos");
    expect(asked()).toBe("/api/videos?limit=10&offset=0");
    press("Page 2");
    await screen.findByText("Showing 11 to 20 of 23 videos");
    fill("Search videos", "tide");
    await waitFor(() => expect(asked()).toBe("/api/videos?search=tide&limit=10&offset=0"));
    expect(router.state.location.search).toBe("?search=tide");
    fill("Rows per page", "50");
    await waitFor(() => expect(asked()).toBe("/api/videos?search=tide&limit=50&offset=0"));
  });

  it("offers five pages around the current one, and none if one page is enough", async () => {
    const { server } = await openVideos(
      [],
      { [list]: listOf([tides], 75) },
      "/admin/videos?page=5",
    );
    const pages = within(await screen.findByRole("navigation", { name: "Pages" }));
    const numbers = () =>
      pages.getAllByRole("button", { name: /^Page/ }).map(({ textContent }) => Number(textContent));
    expect(numbers()).toEqual([3, 4, 5, 6, 7]);
    press("Previous");
    await waitFor(() => expect(numbers()).toEqual([2, 3, 4, 5, 6]));
    server.reply(list, listOf([tides], 1));
    fill("Search videos", "one");
    await waitFor(() => expect(screen.queryByRole("navigation", { name: "Pages" })).toBeNull());
  });

  it("keeps filters and order in the address, and clears filters", async () => {
    const { server, router } = await openVideos([tides], { [filteredList]: listOf([tides]) });
    await rowOf("Tides");
    const state = () => [router.state.location.search, server.sent.at(-1)?.url];
    fill("Visibility", "unlisted");
    await waitFor(() =>
      expect(state()).toEqual([
        "?visibility=unlisted",
        "/api/admin/videos?limit=10&offset=0&visibility=unlisted",
      ]),
    );
    press("Stats");
    await waitFor(() => expect(state()[0]).toBe("?visibility=unlisted&sort=views"));
    press("Stats");
    await waitFor(() => expect(state()[1]).toContain("&sort=views&order=asc"));
    press("Clear filters");
    await waitFor(() => expect(state()[0]).toBe("?sort=-views"));
  });
});

it("opens the form for captions from the menu of a row", async () => {
  const { router } = await openVideos([tides], { [`GET ${one}`]: new Promise(() => {}) });
  await rowOf("Tides");
  press("More actions for Tides");
  fireEvent.click(await screen.findByRole("menuitem", { name: "Add captions" }));
  await waitFor(() =>
    expect(router.state.location).toMatchObject({
      pathname: `/admin/videos/${tides.id}`,
      search: "?captions=add",
    }),
  );
});

describe("publishing", () => {
  it("asks for confirmation and sends only isPublished", async () => {
    const { server } = await openVideos([tides]);
    await rowOf("Tides");
    press("Published");
    await choose('Are you sure you want to unpublish "Tides"?', "Cancel");
    press("Unpublish Tides");
    server.reply(`PUT ${one}`, { ...tides, isPublished: false });
    server.reply(list, listOf([{ ...tides, isPublished: false }]));
    await choose('Are you sure you want to unpublish "Tides"?', "Unpublish");
    await screen.findByRole("button", { name: "Draft" });
    screen.getByRole("button", { name: "Publish Tides" });
    expect(server.sentTo(`PUT ${one}`).map(({ body }) => body)).toEqual([{ isPublished: false }]);
  });

  it.each(reasons)("explains a failure: %s", async (reply, reason) => {
    await openVideos([tides], { [`PUT ${one}`]: reply });
    await rowOf("Tides");
    press("Unpublish Tides");
    await choose('Are you sure you want to unpublish "Tides"?', "Unpublish");
    await screen.findByText(`Failed to update video: ${reason}`);
    screen.getByRole("button", { name: "Published" });
  });
});

describe("deleting", () => {
  const question = 'Are you sure you want to delete "Tides"? This action cannot be undone.';
  const trash = "GET /api/admin/trash";
  const removed = {
    removedAt: tides.createdAt,
    removedBy: "ada@example.test",
    goesAt: tides.createdAt,
    clips: 0,
    sizeBytes: 1,
  };
  const trashOf = (videos: Video[]) => ({
    videos: videos.map((video) => ({ ...video, ...removed })),
    total: videos.length,
    sizeBytes: 1,
    hasClips: false,
    keptDays: 30,
  });

  it("asks for confirmation and removes the row", async () => {
    const { server } = await openVideos([tides], { [`DELETE ${one}`]: {}, [trash]: trashOf([]) });
    await rowOf("Tides");
    press("Delete Tides");
    server.reply(list, listOf([]));
    await choose(question, "Delete");
    await screen.findByText("Video deleted successfully");
    await screen.findByText("No videos found.");
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });

  it("deselects the deleted video", async () => {
    const other = adminVideo({ id: "22222222-2222-4222-8222-222222222223", title: "Harbour" });
    const { server } = await openVideos([tides, other], {
      [`DELETE ${one}`]: {},
      [trash]: trashOf([]),
    });
    await rowOf("Tides");
    fireEvent.click(screen.getByLabelText("Select all on this page"));
    screen.getByText("2 selected");
    press("Delete Tides");
    server.reply(list, listOf([other]));
    await choose(question, "Delete");
    await screen.findByText("1 selected");
  });

  it("offers to restore a video that the trash keeps", async () => {
    const { server } = await openVideos([tides], {
      [`DELETE ${one}`]: {},
      [trash]: trashOf([tides]),
      [`POST /api/admin/trash/${tides.id}/restore`]: tides,
      "OPTIONS /api/uploads": new Response(null),
    });
    await rowOf("Tides");
    press("Delete Tides");
    server.reply(list, listOf([]));
    await choose(question, "Delete");
    await screen.findByText("No videos found.");
    server.reply(list, listOf([tides]));
    await screen.findByText("Video deleted successfully");
    // A dialog has its own buttons.
    press("Upload Video");
    const dialog = await screen.findByRole("dialog");
    within(dialog).getByText("Video deleted successfully");
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    press("Cancel", dialog);
    fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText('Restored "Tides"');
    await rowOf("Tides");
    expect(screen.queryByText("Video deleted successfully")).toBeNull();
  });

  it.each(reasons)("explains a failure: %s", async (reply, reason) => {
    await openVideos([tides], { [`DELETE ${one}`]: reply });
    await rowOf("Tides");
    press("Delete Tides");
    await choose(question, "Delete");
    await screen.findByText(`Failed to delete video: ${reason}`);
    await rowOf("Tides");
  });
});

describe("the edit form", () => {
  async function openForm(replies: Record<string, Reply> = {}) {
    const opened = await openVideos([tides], replies);
    await rowOf("Tides");
    press("Edit Tides");
    return { ...opened, dialog: await screen.findByRole("dialog", { name: "Edit Video" }) };
  }

  it("shows the current data, requires a title, splits names and saves", async () => {
    const { server, dialog } = await openForm();
    for (const text of [
      "Update video information and metadata",
      "tides",
      "1:01",
      "Separate multiple categories with commas",
      "Separate multiple tags with commas",
      "Separate multiple actors with commas",
      "Make video visible to users",
      "Mark as premium content",
    ]) {
      expect(within(dialog).getAllByText(text)).not.toEqual([]);
    }
    expect(within(dialog).getByLabelText("Description").getAttribute("rows")).toBe("4");
    const save = () => within(dialog).getByRole("button", { name: "Update Video" });
    fill(/^Title/, "  ", dialog);
    expect(save().matches(":disabled")).toBe(true);
    fill(/^Title/, "Final title", dialog);
    fill("Description", "Words about it", dialog);
    fill("Categories", " Night ,, Rain, ", dialog);
    fill("Tags", "one", dialog);
    fill("Actors", "Ada", dialog);
    fireEvent.click(within(dialog).getByLabelText("Premium"));
    const saved = Promise.withResolvers<object>();
    server.reply(`PUT ${one}`, saved.promise);
    press("Update Video", dialog);
    const busy = await within(dialog).findByRole("button", { name: "Updating..." });
    const cancel = within(dialog).getByRole("button", { name: "Cancel" });
    expect([busy, cancel].map((button) => button.matches(":disabled"))).toEqual([true, true]);
    expect(server.sentTo(`PUT ${one}`)[0]?.body).toEqual({
      title: "Final title",
      description: "Words about it",
      isPublished: true,
      isPremium: true,
      embedding: "site",
      categories: ["Night", "Rain"],
      tags: ["one"],
      actors: ["Ada"],
      version: 1,
    });
    const changed = adminVideo({ title: "Final title" });
    server.reply(list, listOf([changed]));
    saved.resolve(changed);
    await screen.findByText("Video updated successfully");
    await rowOf("Final title");
    await waitFor(() => expect(hasDialog()).toBe(false));
  });

  it("stays open with what was typed after a failure", async () => {
    const { dialog } = await openForm({ [`PUT ${one}`]: failure(422, "Not today.") });
    fill(/^Title/, "Changed in vain", dialog);
    press("Update Video", dialog);
    await screen.findByText("Failed to update video: Not today.");
    expect(within(dialog).getByLabelText<HTMLInputElement>(/^Title/).value).toBe("Changed in vain");
  });

  it("keeps what was typed when the browser goes back to another page of the list", async () => {
    const { router, dialog } = await openForm({ [list]: listOf([tides], 23) });
    await act(() => router.navigate("?page=2"));
    fill(/^Title/, "Changed on page 2", dialog);
    await act(() => router.navigate(-1));
    expect(router.state.location.search).toBe("");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    within(dialog).getByDisplayValue("Changed on page 2");
  });

  it("merges the changes of two admins, and asks only about fields that both changed", async () => {
    const theirs = adminVideo({ title: "Title of the first", isPremium: true, version: 2 });
    const { server, dialog } = await openForm({
      [`PUT ${one}`]: failure(409, "changed meanwhile", "edit_conflict"),
      [`GET ${one}`]: theirs,
    });
    fill(/^Title/, "Title of the second", dialog);
    fill("Description", "Words of the second", dialog);
    press("Update Video", dialog);
    const conflict = await within(dialog).findByRole("alert", { name: "Edit conflict" });
    within(conflict).getByText("Title of the first");
    expect(within(conflict).getAllByRole("button")).toHaveLength(2);
    press("Keep mine: Title", conflict);
    await waitFor(() => expect(within(dialog).queryByRole("alert")).toBeNull());
    server.reply(`PUT ${one}`, theirs);
    press("Update Video", dialog);
    await screen.findByText("Video updated successfully");
    expect(server.sentTo(`PUT ${one}`).at(-1)?.body).toMatchObject({
      title: "Title of the second",
      description: "Words of the second",
      isPremium: true,
      version: 2,
    });
  });
});
