import type { Page } from "playwright-core";
import type { TestApp } from "#test/app.ts";
import { makeAd } from "#test/factories/make-ad.ts";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeUser } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";

/** Text in most fields that visitors and editors fill. It must be shown as text. */
const markup = `<script>window.hasRun=1</script><img src=x onerror="window.hasRun=1">"'`;

/** ID of the video that the video pages show. */
export const detailsId = "0198aaaa-0000-7000-8000-000000000001";

/** Fills every list of the back office. */
export async function fillOffice(app: TestApp): Promise<void> {
  const { db } = app;
  for (let n = 0; n < 9; n += 1) await makeVideo(db, { thumbnail_key: null });
  const category = await makeCategory(db, { name: "Night walks" });
  await makeCategory(db, { name: markup, description: markup });
  const rain = await makeTag(db, { name: "rain", is_series: true });
  await makeTag(db, {
    name: "a-tag-without-any-space-that-is-as-long-as-anyone-would-type",
  });
  const actor = await makeActor(db, { name: markup });
  await makeActor(db, { name: "Ada" });
  await makeVideo(
    db,
    {
      id: detailsId,
      title: "Playable",
      slug: "playable",
      thumbnail_key: null,
      is_premium: true,
      views: 1234,
      description: markup,
    },
    { categoryIds: [category.id], tagIds: [rain.id], actorIds: [actor.id] },
  );
  await makeVideo(db, {
    title: "Broken",
    status: "failed",
    failure_reason: "It is broken.",
    thumbnail_key: null,
    is_published: false,
  });
  await makeVideo(db, {
    title: markup,
    status: "processing",
    progress: 0.4,
    thumbnail_key: null,
  });
  await makeAd(db, { title: "Autumn sale", type: "video", placement: "preroll", trust: "page" });
  await makeAd(db, { title: markup, is_active: false });
  const advertiser = { id: "0198aaaa-0000-7000-8000-000000000003", name: "Acme" };
  await db
    .insertInto("advertisers")
    .values({ ...advertiser, contact: "ada@example.com" })
    .execute();
  await db
    .insertInto("campaigns")
    .values({
      id: campaignId,
      advertiser_id: advertiser.id,
      name: "Autumn",
      goal: "impressions",
      goal_amount: 1000,
      impressions: 400,
      price_model: "cpm",
      price_micros: 5_000_000,
      starts_at: new Date(Date.now() - 86_400_000),
      ends_at: new Date(Date.now() + 86_400_000),
    })
    .execute();
  await makeAd(db, { title: "Of a campaign", campaign_id: campaignId, is_active: false });
  await fetch(`${app.url}/api/admin/webhooks`, {
    method: "POST",
    headers: { cookie: await app.signIn(), "content-type": "application/json" },
    body: JSON.stringify({ url: `https://example.com/hook?${markup}`, events: ["video.ready"] }),
  });
  await fetch(`${app.url}/api/admin/passes`, {
    method: "POST",
    headers: { cookie: await app.signIn(), "content-type": "application/json" },
    body: JSON.stringify({ note: "A pass for pages", days: 30 }),
  });
  await fetch(`${app.url}/api/takedowns`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ground: "copyright",
      addresses: "/video/playable",
      text: `Right-to-left: שלום ${markup}${"x".repeat(3000)}`,
      name: "Ada".repeat(60),
      email: "ada@example.com",
      isInGoodFaith: true,
      isAccurate: true,
      signature: "Ada",
    }),
  });
  await makeUser(db, { email: "editor@example.com", role: "EDITOR", name: markup });
  const thrown = await makeVideo(db, { title: "Thrown away", thumbnail_key: null });
  await fetch(`${app.url}/api/videos/${thrown.id}`, {
    method: "DELETE",
    headers: { cookie: await app.signIn() },
  });
  await fetch(`${app.url}/api/referrals`, {
    method: "POST",
    headers: { cookie: await app.signIn(), "content-type": "application/json" },
    body: JSON.stringify({ name: "Flyer", code: "flyer", target: "/home", note: markup }),
  });
  await addWatchedFolder(db);
}

/** Adds files of a watched folder, and the source of an imported video. */
async function addWatchedFolder(db: TestApp["db"]): Promise<void> {
  await db.updateTable("settings").set({ watch_folder: true }).execute();
  const problem = "The folder is empty and isn't the one seen before. Is its disk mounted?";
  await db.updateTable("watched_folder").set({ looked_at: new Date(), problem }).execute();
  const name = "a-name-without-any-space-that-is-longer-than-a-telephone-is-wide".repeat(2);
  for (const [at, state] of (["failed", "waiting", "done"] as const).entries()) {
    const key = Buffer.from([at]);
    const note = state === "failed" ? "its file is empty" : null;
    const about = {
      path: `Travel/${name}.mp4`,
      state,
      note,
      video_id: at === 2 ? detailsId : null,
    };
    await db
      .insertInto("watched_files")
      .values({ key, id: detailsId, signature: key, resting_since: new Date(), ...about })
      .execute();
  }
  await db
    .insertInto("video_origins")
    .values({ source: "watched folder", source_id: `Travel/${name}.mp4`, video_id: detailsId })
    .execute();
}

const campaignId = "0198aaaa-0000-7000-8000-000000000002";

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name }).first();
const fromRowMenu = (title: string, entry: string) => async (page: Page) => {
  await button(page, `More actions for ${title}`).click();
  await page.getByRole("menuitem", { name: entry }).click();
};

/** Text that shows that the page has loaded, and the dialogs that the page can open. */
export const officePages: [
  path: string,
  sign: string,
  dialogs: ((page: Page) => Promise<void>)[],
][] = [
  ["/admin", "Recent Videos", [(page) => page.keyboard.press("Control+k")]],
  [
    "/admin/videos",
    "Showing 1 to 10 of 12 videos",
    [
      (page) => button(page, "Edit Playable").click(),
      (page) => button(page, "Delete Playable").click(),
      (page) => button(page, "Upload Video").click(),
      fromRowMenu("Playable", "Change thumbnail"),
      fromRowMenu("Playable", "Restrictions"),
      fromRowMenu("Broken", "Schedule publishing"),
      async (page) => {
        await page.getByLabel("Select Playable").check();
        await button(page, "More bulk actions").click();
        await page.getByRole("menuitem", { name: "Add tags" }).click();
      },
      async (page) => {
        await page.getByLabel("Select Playable").check();
        await button(page, "More bulk actions").click();
        await page.getByRole("menuitem", { name: "Remove tags" }).click();
      },
    ],
  ],
  [
    `/admin/videos/${detailsId}`,
    "This video has no captions.",
    [
      (page) => button(page, "Add captions").click(),
      (page) => button(page, "Change address").click(),
      (page) => button(page, "Visibility").click(),
    ],
  ],
  ["/admin/trash", "Thrown away", [(page) => button(page, "Delete forever Thrown away").click()]],
  ["/admin/videos?search=nothing-like-this", "No videos found.", []],
  [
    "/admin/categories",
    "/night-walks",
    [
      (page) => button(page, "Add Category").click(),
      (page) => button(page, "Merge Night walks").click(),
      (page) => button(page, "Delete Night walks").click(),
    ],
  ],
  [
    "/admin/tags",
    "/rain",
    [(page) => button(page, "Edit rain").click(), (page) => button(page, "Order of rain").click()],
  ],
  [
    "/admin/actors",
    "/ada",
    [(page) => button(page, "Edit Ada").click(), (page) => button(page, "Add Actor").click()],
  ],
  [
    "/admin/campaigns",
    "Autumn",
    [
      (page) => button(page, "Add Campaign").click(),
      async (page) => {
        await button(page, "Edit Autumn").click();
        await page.getByText("Caps and targets").click();
      },
    ],
  ],
  [
    "/admin/campaigns/advertisers",
    "ada@example.com",
    [
      (page) => button(page, "Add Advertiser").click(),
      (page) => button(page, "Delete Acme").click(),
      (page) => button(page, "Share stats for Acme").click(),
    ],
  ],
  ["/admin/campaigns/report", "Export CSV", []],
  [`/admin/campaigns/${campaignId}`, "Of a campaign", []],
  [
    "/admin/ads",
    "Autumn sale",
    [
      (page) => button(page, "Edit Autumn sale").click(),
      (page) => button(page, "Statistics for Autumn sale").click(),
      (page) => button(page, "Test a VAST tag").click(),
    ],
  ],
  [
    "/admin/referrals",
    "?ref=flyer",
    [
      (page) => button(page, "Add Referral").click(),
      (page) => button(page, "Edit Flyer").click(),
      (page) => button(page, "Statistics for Flyer").click(),
      (page) => button(page, "Delete Flyer").click(),
    ],
  ],
  [
    "/admin/reports",
    "Right-to-left",
    [
      (page) => button(page, "Open the report about Playable").click(),
      (page) => button(page, "Blocked files").click(),
    ],
  ],
  ["/admin/comments", "No comments to review.", []],
  [
    "/admin/members",
    "A pass for pages",
    [
      (page) => button(page, "New pass").click(),
      (page) => button(page, "Edit A pass for pages").click(),
      (page) => button(page, "Link and QR code of A pass for pages").click(),
      (page) => button(page, "Revoke A pass for pages").click(),
    ],
  ],
  ["/admin/reports?state=resolved", "No reports match these filters.", []],
  [
    "/admin/webhooks",
    "https://example.com/hook",
    [
      (page) => button(page, "Add webhook").click(),
      async (page) => {
        await button(page, /^Manage https/).click();
        await page.getByRole("menuitem", { name: "Log" }).click();
      },
    ],
  ],
  [
    "/admin/people",
    "Require two-factor sign-in",
    [
      (page) => button(page, "Invite").click(),
      async (page) => {
        await button(page, "Manage editor@example.com").click();
        await page.getByRole("menuitem", { name: "Change role" }).click();
      },
      async (page) => {
        await button(page, "Manage editor@example.com").click();
        await page.getByRole("menuitem", { name: "Sessions" }).click();
      },
      async (page) => {
        await button(page, "Manage editor@example.com").click();
        await page.getByRole("menuitem", { name: "Remove" }).click();
      },
    ],
  ],
  [
    "/admin/account",
    "Shown in the back office",
    [
      (page) => button(page, "Set up an app").click(),
      (page) => button(page, "Add a passkey").click(),
      (page) => button(page, "New token").click(),
      (page) => button(page, "Sign out everywhere").click(),
    ],
  ],
  [`/admin/videos/${detailsId}/cut`, "Parts to keep", []],
  [`/admin/videos/${detailsId}/clips`, "Several clips", []],
  ["/admin/system", "Passed", []],
  ["/admin/storage", "Largest videos", []],
  ["/admin/import", "Import and export data as CSV files", []],
  ["/admin/safety", "Publish a list of removals", []],
  ["/admin/settings", "Basic Information", []],
  ["/admin/pages", "No pages yet", [(page) => button(page, "Add page").click()]],
  ["/admin/settings/texts", "Your text", []],
  ["/admin/audit", "created the referral link", []],
  ["/admin/audit?search=unknown", "No entries match these filters.", []],
];
