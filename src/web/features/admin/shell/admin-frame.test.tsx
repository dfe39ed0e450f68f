// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure, type Reply } from "#test/harness/stub-fetch.ts";
import * as passkeys from "#web/lib/passkeys.ts";
import { saveUser } from "#web/lib/session.ts";
import { menuPageOf, namedPages } from "../admin-pages.ts";
import { adminUser, openAdminPage } from "../shared/admin-page.fixture.tsx";
import { newSettings } from "../settings/settings.fixture.ts";
import {
  fakeUploadDatabase,
  grantLocks,
  storedUpload,
} from "../upload/queue/upload-database.fixture.ts";
import { adminVideo } from "../videos/video.fixture.ts";

const audit = { "GET /api/admin/audit": { entries: [], nextCursor: null } };
const open = (
  path = "/admin/audit",
  options: { role?: "ADMIN" | "ANALYST" | "USER" } = {},
  replies: Record<string, Reply> = {},
) => openAdminPage(path, { ...audit, ...replies }, { hasMenus: true, ...options });

describe("access", () => {
  it.each([
    ["USER", "/admin"],
    ["ANALYST", "/admin/settings"],
  ] as const)("shows Access Denied and the role to %s at %s", async (role, path) => {
    await open(path, { role });
    screen.getByRole("heading", { name: "Access Denied" });
    screen.getByText("You don't have permission to access this page.");
    screen.getByText(role);
    expect(screen.queryByRole("navigation")).toBeNull();
  });

  it("opens for a valid session although the browser has forgotten the user", async () => {
    const session = Promise.withResolvers<object>();
    const replies = { ...audit, "GET /api/auth/session": session.promise };
    await openAdminPage("/admin/audit", replies, { hasMenus: true, isRemembered: false });
    screen.getByText("Loading...");
    session.resolve({ user: adminUser() });
    await screen.findByRole("heading", { name: "Audit log" });
  });

  it("sends visitors without a session to sign in, and back to their page afterwards", async () => {
    const replace = vi.spyOn(window.location, "replace").mockImplementation(() => {});
    await openAdminPage(
      "/admin/videos?state=draft",
      { "GET /api/auth/session": { user: null } },
      { hasMenus: true, isRemembered: false },
    );
    await waitFor(() =>
      expect(replace).toHaveBeenCalledWith("/auth/signin?next=%2Fadmin%2Fvideos%3Fstate%3Ddraft"),
    );
    screen.getByText("Loading...");
  });

  it("unregisters the offline worker, which would hide drafts from users", async () => {
    const unregister = vi.fn(() => Promise.resolve(true));
    const serviceWorker = { getRegistrations: () => Promise.resolve([{ unregister }]) };
    Object.assign(navigator, { serviceWorker });
    onTestFinished(() => void Reflect.deleteProperty(navigator, "serviceWorker"));
    await open();
    await waitFor(() => expect(unregister).toHaveBeenCalledOnce());
  });

  it("signs out and opens the sign-in page", async () => {
    const replace = vi.spyOn(window.location, "replace").mockImplementation(() => {});
    const { server } = await open("/admin/audit", {}, { "POST /api/auth/signout": {} });
    press("Sign Out");
    await waitFor(() => expect(replace).toHaveBeenCalledWith("/auth/signin"));
    expect(server.sentTo("POST /api/auth/signout")).toHaveLength(1);
  });

  it("asks before signing out discards unfinished uploads", async () => {
    const replace = vi.spyOn(window.location, "replace").mockImplementation(() => {});
    grantLocks();
    const database = fakeUploadDatabase([storedUpload()]);
    const other = { ...storedUpload({ id: "other" }), userId: "of-another-user" };
    database.stores.uploads.set("other", other);
    const replies = { ...audit, "POST /api/auth/signout": {} };
    const { server } = await openAdminPage("/admin/audit", replies, { hasMenus: true, database });
    await screen.findByText("evening.mp4");
    const question = "Sign out and discard your unfinished uploads?";
    press("Sign Out");
    await choose(question, "Cancel");
    expect(server.sentTo("POST /api/auth/signout")).toEqual([]);
    expect(database.stores.uploads.size).toBe(2);
    press("Sign Out");
    await choose(question, "Sign out");
    await waitFor(() => expect(replace).toHaveBeenCalledWith("/auth/signin"));
    expect(database.stores.uploads.size).toBe(0);
  });
});

it("shows name and logo as saved in the settings, without a reload", async () => {
  const settings = { ...newSettings, siteName: "Lantern", logoUrl: "/media/public/logo.png" };
  await open("/admin/settings", {}, { "GET /api/settings": settings });
  const home = await screen.findByRole("link", { name: "Lantern" });
  expect(home.getAttribute("href")).toBe("/admin");
  expect(home.querySelector("img")?.getAttribute("src")).toBe("/media/public/logo.png");
});

describe("a session that has ended", () => {
  const ended = { name: "Your session has ended" };
  const openEnded = async () => {
    const opened = await open("/admin/audit", {}, { "GET /api/admin/audit": failure(401) });
    await screen.findByRole("dialog", ended);
    const repeat = Promise.withResolvers<object>();
    opened.server.reply("GET /api/admin/audit", repeat.promise);
    return {
      ...opened,
      expectRepeated: async () => {
        await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
        await act(async () => repeat.resolve({ entries: [], nextCursor: null }));
        await screen.findByText("No entries found.");
      },
    };
  };

  it("continues once another tab has saved the user", async () => {
    const { expectRepeated } = await openEnded();
    act(() => saveUser(null));
    screen.getByRole("dialog", ended);
    act(() => saveUser(adminUser()));
    await expectRepeated();
  });

  it("continues after a sign-in with a passkey, also in the step with the code", async () => {
    vi.stubGlobal("PublicKeyCredential", vi.fn());
    const get = vi.spyOn(passkeys, "getPasskey");
    get.mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
    get.mockResolvedValueOnce({});
    const { server, expectRepeated } = await openEnded();
    server.reply("POST /api/auth/passkey/options", { options: {} });
    const dialog = screen.getByRole("dialog", ended);
    press("Use a passkey", dialog);
    await waitFor(() => expect(get).toHaveBeenCalledOnce());
    await within(dialog).findByRole("button", { name: "Sign in" });
    // The user declined.
    expect(within(dialog).queryByRole("alert")).toBeNull();
    server.reply("POST /api/auth/signin", failure(401, "Enter a code", "second_factor_needed"));
    fill(/^Password/, "secret", dialog);
    press("Sign in", dialog);
    await within(dialog).findByLabelText(/^Code/);
    server.reply("POST /api/auth/passkey", adminUser());
    press("Use a passkey", dialog);
    await expectRepeated();
  });

  it("continues on return to the tab if the user has signed in elsewhere", async () => {
    const { expectRepeated } = await openEnded();
    act(() => void window.dispatchEvent(new Event("focus")));
    await expectRepeated();
  });
});

describe("the side menu", () => {
  const menu = () => screen.getByRole("navigation", { name: "Admin" });
  const group = (name: string) => within(menu()).getByRole("group", { name });
  const linksOf = (element: HTMLElement) =>
    within(element)
      .queryAllByRole("link")
      .map(({ textContent }) => textContent);

  it("lists every page but nested ones, the usual ones in a fixed order, and marks the current one", async () => {
    localStorage.setItem("kinora.admin.closed-groups", "");
    await open();
    const inMenu = namedPages.filter((page) => page.group !== undefined);
    const shown = within(menu()).getAllByRole("group").flatMap(linksOf);
    expect(shown).toEqual(
      inMenu.filter(({ isNested }) => isNested !== true).map(({ label }) => label),
    );
    const usual = [
      ...["Dashboard", "Videos", "Categories", "Tags", "Actors"],
      ...["Advertisements", "Referrals", "Settings"],
    ];
    expect(shown.filter((name) => usual.includes(name ?? ""))).toEqual(usual);
    const groups = within(menu()).getAllByRole("button");
    expect(groups.map(({ textContent }) => textContent)).toEqual([
      ...["Content", "Advertising", "Community", "Site", "System"],
    ]);
    expect(inMenu.map(({ href }) => menuPageOf(href))).toEqual(inMenu);
    expect(menu().querySelector("[aria-current=page]")?.textContent).toBe("Audit log");
    const crumbs = within(screen.getByRole("navigation", { name: "Breadcrumbs" }));
    expect(crumbs.getByText("Audit log").getAttribute("aria-current")).toBe("page");
  });

  it("shows 13 pages at first, and nested ones beside the page that is open", async () => {
    await open("/admin/trash", {}, { "GET /api/admin/trash": new Promise(() => {}) });
    expect(linksOf(group("Content")).slice(0, 3)).toEqual(["Dashboard", "Videos", "Trash"]);
    expect(linksOf(group("Site"))).toEqual(["Settings"]);
    expect(within(menu()).getAllByRole("group").flatMap(linksOf)).toHaveLength(14);
  });

  it("shows the pages that belong to the settings on each of them", async () => {
    await open("/admin/pages", {}, { "GET /api/admin/pages": new Promise(() => {}) });
    expect(linksOf(group("Site"))).toEqual(["Settings", "Safety", "Pages", "Texts"]);
    expect(linksOf(group("Content"))).not.toContain("Trash");
  });

  it("marks no page on the account page, which it doesn't list", async () => {
    const never = new Promise(() => {});
    await open("/admin/account", {}, { "GET /api/account": never });
    const groups = within(menu()).getAllByRole("group");
    expect(groups.filter((element) => element.querySelector("[aria-current]"))).toEqual([]);
  });

  it("remembers closed groups, and shows the current page of a closed one", async () => {
    // Closed until the user opens it.
    await open();
    expect(linksOf(group("System"))).toEqual(["Audit log"]);
    press("Site", group("Site"));
    expect(linksOf(group("Site"))).toEqual([]);
    expect(localStorage.getItem("kinora.admin.closed-groups")).toBe("System,Site");
    press("System", group("System"));
    expect(linksOf(group("System")).length).toBeGreaterThan(1);
  });

  it("opens in a drawer on a phone", async () => {
    await open();
    press("Open menu");
    const drawer = await screen.findByRole("dialog");
    fireEvent.click(within(drawer).getByRole("link", { name: "Videos" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("Ctrl-K", () => {
  async function openPalette(replies: Record<string, Reply> = {}) {
    const opened = await open("/admin/audit", {}, replies);
    fireEvent.keyDown(document.body, { key: "k", ctrlKey: true });
    await screen.findByRole("dialog", { name: "Command palette" });
    return opened;
  }
  const type = (text: string) => fill("Search pages, actions and videos", text);
  const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);

  it("finds every page", async () => {
    await openPalette();
    expect(options()).toEqual(expect.arrayContaining(namedPages.map(({ label }) => label)));
  });

  it("leaves Enter and arrows to an input method", async () => {
    const { router } = await openPalette();
    type("Videos");
    const box = screen.getByRole("combobox");
    const pressKey = (key: string, of: Partial<KeyboardEvent> = {}) => {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      for (const [name, value] of Object.entries(of)) Object.defineProperty(event, name, { value });
      act(() => void box.dispatchEvent(event));
      return event.defaultPrevented;
    };
    // Safari reports the Enter that ends a composition only by its key code.
    for (const composing of [{ isComposing: true }, { keyCode: 229 }]) {
      expect(pressKey("ArrowDown", composing)).toBe(false);
      expect(pressKey("Enter", composing)).toBe(false);
    }
    expect(router.state.location.pathname).toBe("/admin/audit");
    expect(pressKey("Enter")).toBe(true);
    await waitFor(() => expect(router.state.location.pathname).not.toBe("/admin/audit"));
  });

  it("finds sections of the settings by the labels inside them", async () => {
    const videos = { "GET /api/videos": { videos: [], total: 0, nextCursor: null } };
    const { router } = await openPalette({
      ...videos,
      "GET /api/settings": new Promise(() => {}),
    });
    type("sellers.json");
    fireEvent.click(await screen.findByRole("option", { name: "Advertising" }));
    await waitFor(() =>
      expect(router.state.location.pathname + router.state.location.hash).toBe(
        "/admin/settings#section-advertising",
      ),
    );
  });

  it("finds videos once the typing pauses", async () => {
    const { server } = await openPalette({
      "GET /api/videos": { videos: [adminVideo()], total: 1, nextCursor: null },
    });
    type("tid");
    type("tide");
    await screen.findByRole("option", { name: "Tides" });
    expect(server.sentTo("GET /api/videos").map(({ url }) => url)).toEqual([
      "/api/videos?search=tide&limit=6",
    ]);
  });
});

it("opens the upload from every page", async () => {
  await open("/admin/audit", {}, { "OPTIONS /api/uploads": new Response() });
  press("New upload");
  await screen.findByText("Drop your video file here, or click to browse files");
});
