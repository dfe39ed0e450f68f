// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "enableIframePageLoading": true } }
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";
import { newSettings } from "./settings.fixture.ts";

const read = "GET /api/settings";
const save = "POST /api/settings";
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

beforeEach(() => {
  // No requests: happy-dom loads an empty document instead of the previewed page.
  vi.spyOn(HTMLIFrameElement.prototype, "src", "get").mockReturnValue("about:blank");
});

async function open(settings = newSettings) {
  const opened = await openAdminPage("/admin/settings", { [read]: settings });
  await screen.findByLabelText("Site Name");
  return opened;
}

it("shows Loading, then fields with their hints and kinds", async () => {
  const settings = Promise.withResolvers<object>();
  await openAdminPage("/admin/settings", { [read]: settings.promise });
  screen.getByText("Loading");
  settings.resolve(newSettings);
  await screen.findByText("Direct URL to your site logo image");
  screen.getByText("Direct URL to your site favicon");
  for (const name of ["Basic Information", "Branding", "Preview"]) {
    screen.getByRole("heading", { name });
  }
  expect(field("Site Description").getAttribute("rows")).toBe("3");
  for (const name of ["Site URL", "Logo URL", "Favicon URL"]) expect(field(name).type).toBe("url");
  // Number pads lack the comma.
  expect(field("Mid-roll times").hasAttribute("inputmode")).toBe(false);
});

it("logs a failed load, and repeats it on Try Again", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { server } = await openAdminPage("/admin/settings", { [read]: failure(404) });
  await screen.findByText("Failed to load settings");
  expect(warn).toHaveBeenCalledWith("Couldn't load the settings", expect.anything());
  server.reply(read, newSettings);
  press("Try Again");
  await screen.findByLabelText("Site Name");
});

describe("the preview", () => {
  it("shows Not set for each empty value, and Invalid URL for a logo that fails to load", async () => {
    await open();
    const preview = screen.getByRole("region", { name: "Preview" });
    expect(within(preview).getAllByText("Not set")).toHaveLength(4);
    fill("Site Name", "  Lantern ");
    within(preview).getByText("Lantern");
    fill("Logo URL", "https://a.test/nothing.png");
    fireEvent.error(within(preview).getByRole("img", { name: "Logo" }));
    within(preview).getByText("Invalid URL");
    expect(within(preview).getAllByText("Not set")).toHaveLength(2);
  });
});

it("sends trimmed values and null for empty ones, is busy meanwhile, and reloads", async () => {
  const { server } = await open({ ...newSettings, siteUrl: "https://old.test" });
  fill("Site Name", "  Lantern  ");
  fill("Site Description", "Pictures that move.");
  fill("Site URL", "  ");
  const saved = Promise.withResolvers<object>();
  server.reply(save, saved.promise);
  press("Save Settings");
  const busy = await screen.findByRole("button", { name: "Saving..." });
  expect(busy.matches(":disabled")).toBe(true);
  expect(server.sentTo(save)[0]?.body).toEqual({
    siteName: "Lantern",
    siteDescription: "Pictures that move.",
    siteUrl: null,
    language: "en",
    logoUrl: null,
    faviconUrl: null,
    accentColor: null,
    groundColor: null,
    cornerRadius: "medium",
    font: "inter",
    version: 1,
  });
  const settings = { ...newSettings, siteName: "Lantern", version: 2 };
  server.reply(read, settings);
  saved.resolve(settings);
  await screen.findByText("Settings saved successfully!");
  await waitFor(() => expect(field("Site Name").value).toBe("Lantern"));
  expect(server.sentTo(read).length).toBeGreaterThan(1);
});

it.each([
  ["a failure of the server", failure(500, "no")],
  ["a lost connection", new TypeError("Failed to fetch")],
])("shows Failed to save settings after %s, and keeps what was typed", async (_name, reply) => {
  const { server } = await open();
  server.reply(save, reply);
  fill("Site Name", "Other");
  press("Save Settings");
  await screen.findByText("Failed to save settings");
  press("Dismiss");
  expect(screen.queryByText("Failed to save settings")).toBeNull();
  expect(field("Site Name").value).toBe("Other");
});

it("saves other settings beside stored colors with too little contrast", async () => {
  const { server } = await open({ ...newSettings, groundColor: "#c8e6c9" });
  const button = screen.getByRole("button", { name: "Save Settings" });
  screen.getByText(/^Text in the standard accent color would have a contrast of only/);
  server.reply(save, newSettings);
  fill("Site Name", "Lantern");
  press("Save Settings");
  await screen.findByText("Settings saved successfully!");
  expect(server.sentTo(save)).toHaveLength(1);
  fill(/^Ground/, "#b8e6c9");
  expect(button.matches(":disabled")).toBe(true);
});

it("saves one section, and keeps what was typed in another", async () => {
  const { server } = await open();
  fill("Site Name", "Typed, not saved");
  fill("Days to keep deleted videos", "9");
  const settings = { ...newSettings, trashDays: 9, version: 2 };
  server.reply(save, settings);
  server.reply(read, settings);
  press("Save Trash");
  await screen.findByText("Settings saved successfully!");
  expect(server.sentTo(save)[0]?.body).toEqual({ trashDays: 9, version: 1 });
  expect(field("Site Name").value).toBe("Typed, not saved");
});

it("finds settings by words of their labels and hints", async () => {
  await open();
  const sections = screen.getByRole("navigation", { name: "Sections" });
  const names = () =>
    within(sections)
      .queryAllByRole("link")
      .map(({ textContent }) => textContent);
  fill("Search settings", "mid-roll");
  await waitFor(() => expect(names()).toEqual(["Advertising"]));
  expect(field("Days to keep deleted videos").closest("form")?.hidden).toBe(true);
  fill("Search settings", "nothing like this");
  await screen.findByText("No settings found.");
});
