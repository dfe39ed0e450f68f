import { beforeEach, expect, test } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { newId } from "#server/lib/ids.ts";
import { makeAd } from "#test/factories/make-ad.ts";

const browser = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
};
let nowMs = Date.UTC(2026, 4, 4, 12);
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
/** Two processes of one site. */
const env = { WRITE_LIMITS: "0", TRUST_PROXY: "127.0.0.1" };
const first = useTestApp({ clock, env });
const apps = [first, useTestApp(() => ({ clock, env, besides: first }))];

beforeEach(async () => {
  nowMs += 24 * 3600 * 1000;
  await first.db.deleteFrom("ads").execute();
  await changed();
});

interface Visitor {
  call: ReturnType<typeof createClient>["call"];
  headers: Record<string, string>;
}
let visitors = 0;

/** Creates a visitor of one of the two processes, by default in a new network. */
function newVisitor(at = 0, address?: string): Visitor {
  const client = createClient(apps[at % 2]?.url ?? "");
  visitors += 1;
  const own = `10.${(visitors >> 8) & 255}.${visitors & 255}.1`;
  return { call: client.call, headers: { ...browser, "x-forwarded-for": address ?? own } };
}

async function ask(visitor: Visitor, placement = "header") {
  const path = `/api/spots/public?placement=${placement}&limit=5`;
  const { json } = await visitor.call("GET", path, undefined, visitor.headers);
  return {
    ids: json.ads.map(({ id }: { id: string }): string => id),
    async show(id: string): Promise<boolean> {
      const body = { serve: json.serve };
      const path = `/api/spots/${id}/impression`;
      return (await visitor.call("POST", path, body, visitor.headers)).json.counted;
    },
  };
}

/** Creates a campaign with its own pace. @returns the id of its only ad. */
async function addCampaign(values: object): Promise<string> {
  const db = first.db;
  if (db === undefined) throw new Error("no app");
  const [id, advertiserId] = [newId(), newId()];
  await db.insertInto("advertisers").values({ id: advertiserId, name: advertiserId }).execute();
  await db
    .insertInto("campaigns")
    .values({ id, advertiser_id: advertiserId, name: "Sale", has_even_pacing: false, ...values })
    .execute();
  return addAd({ campaign_id: id });
}

async function addAd(values: Parameters<typeof makeAd>[1]): Promise<string> {
  const { id } = await makeAd(first.database.db, { has_even_pacing: false, ...values });
  await changed();
  return id;
}

/** Makes both processes reload the ads. */
async function changed(): Promise<void> {
  for (const { context } of apps) {
    for (const feature of context.features) feature.invalidate?.("everything");
  }
}

test("keeps to the daily limit for 300 visitors of two processes", async () => {
  const limited = await addAd({ daily_limit: 50 });
  const houseAd = await addAd({ is_house: true });
  const lists = await Promise.all(Array.from({ length: 300 }, (_, at) => ask(newVisitor(at))));
  const withLimited = lists.filter(({ ids }) => ids.includes(limited));
  expect(withLimited).toHaveLength(50);
  // All other visitors get house ads.
  expect(lists.filter(({ ids }) => ids.includes(houseAd))).toHaveLength(250);
  const counted = await Promise.all(withLimited.map(({ show }) => show(limited)));
  expect(counted).toEqual(Array.from({ length: 50 }, () => true));
  expect((await ask(newVisitor())).ids).toEqual([houseAd]);
});

test.each([
  ["hourly cap", { hourly_cap: 20 }],
  ["daily cap", { daily_cap: 20 }],
  ["lifetime cap", { lifetime_cap: 20 }],
  ["goal", { goal: "viewable", goal_amount: 20 }],
  // 0.20 at 10.00 per 1,000 impressions.
  [
    "budget",
    { price_model: "cpm", price_micros: 10_000_000, budget_micros: 200_000, currency: "EUR" },
  ],
])("shows 120 visitors of two processes no more than the %s of a campaign", async (_, rule) => {
  const limited = await addCampaign(rule);
  const houseAd = await addAd({});
  const lists = await Promise.all(Array.from({ length: 120 }, (_each, at) => ask(newVisitor(at))));
  const withLimited = lists.filter(({ ids }) => ids.includes(limited));
  expect(withLimited).toHaveLength(20);
  expect(lists.filter(({ ids }) => ids.includes(houseAd))).toHaveLength(100);
  const counted = await Promise.all(withLimited.map(({ show }) => show(limited)));
  expect(counted).toEqual(Array.from({ length: 20 }, () => true));
  nowMs += 2000;
  expect((await ask(newVisitor(1))).ids).toEqual([houseAd]);
});

test("delivers a campaign with a large remainder without pauses until its limit", async () => {
  const limited = await addCampaign({ lifetime_cap: 433 });
  const houseAd = await addAd({});
  let shown = 0;
  for (let round = 0; round < 6; round += 1) {
    const lists = await Promise.all(Array.from({ length: 80 }, (_, at) => ask(newVisitor(at))));
    const withLimited = lists.filter(({ ids }) => ids.includes(limited));
    expect(withLimited).toHaveLength(Math.min(80, 433 - shown));
    shown += (await Promise.all(withLimited.map(({ show }) => show(limited)))).length;
    // Longer than the time for which a full campaign is skipped.
    nowMs += 2000;
  }
  expect(shown).toBe(433);
  expect((await ask(newVisitor(0))).ids).toEqual([houseAd]);
});

test("leaves a campaign to other visitors despite one address group's unused lists", async () => {
  const limited = await addCampaign({ lifetime_cap: 40 });
  const idle = await Promise.all(
    Array.from({ length: 150 }, (_, at) => ask(newVisitor(at, `203.0.113.${at}`))),
  );
  expect(idle.filter(({ ids }) => ids.includes(limited))).toHaveLength(10);
  const others = await Promise.all(Array.from({ length: 30 }, (_, at) => ask(newVisitor(at))));
  expect(others.filter(({ ids }) => ids.includes(limited))).toHaveLength(30);
});

test("leaves most of a campaign despite 300 unused lists of five address groups", async () => {
  const limited = await addCampaign({ daily_cap: 150 });
  const idle = await Promise.all(
    Array.from({ length: 300 }, (_, at) => ask(newVisitor(at, `198.51.${at % 5}.${at % 250}`))),
  );
  expect(idle.filter(({ ids }) => ids.includes(limited))).toHaveLength(50);
});

test("lets an address group reserve more of the ads that it shows", async () => {
  const limited = await addAd({ daily_limit: 12 });
  for (let at = 0; at < 12; at += 1) {
    const list = await ask(newVisitor(at, `203.0.113.${at}`));
    expect(list.ids).toEqual([limited]);
    expect(await list.show(limited)).toBe(true);
  }
});

test("releases an ad that isn't shown within 20 seconds", async () => {
  const limited = await addAd({ total_limit: 1 });
  const slow = await ask(newVisitor(0));
  expect(slow.ids).toEqual([limited]);
  nowMs += 19_000;
  expect((await ask(newVisitor(1))).ids).toEqual([]);
  nowMs += 2000;
  expect((await ask(newVisitor(1))).ids).toEqual([limited]);
  // A late impression still counts.
  expect(await slow.show(limited)).toBe(true);
});

test.each([
  ["a daily cap", () => addCampaign({ daily_cap: 20 })],
  ["an hourly cap", () => addCampaign({ hourly_cap: 20 })],
  ["a lifetime cap", () => addCampaign({ lifetime_cap: 20 })],
  ["a daily limit", () => addAd({ daily_limit: 20 })],
  ["a total limit", () => addAd({ total_limit: 20 })],
])("counts no more than %s allows, although lists are shown late", async (_, add) => {
  const limited = await add();
  const askAll = () => Promise.all(Array.from({ length: 20 }, (_each, at) => ask(newVisitor(at))));
  const early = await askAll();
  nowMs += 68_000;
  const late = await askAll();
  const lists = [...early, ...late];
  expect(lists.filter(({ ids }) => ids.includes(limited))).toHaveLength(40);
  const counted = await Promise.all(lists.map(({ show }) => show(limited)));
  expect(counted.filter(Boolean)).toHaveLength(20);
});

test("releases the other ads of a list after one impression", async () => {
  const [one, two] = [await addAd({ daily_limit: 2 }), await addAd({ daily_limit: 1 })];
  const slot = await ask(newVisitor(0));
  expect(slot.ids.toSorted()).toEqual([one, two].toSorted());
  expect((await ask(newVisitor(1))).ids).toEqual([one]);
  expect(await slot.show(one)).toBe(true);
  expect((await ask(newVisitor(1))).ids).toEqual([two]);

  const [here, there] = [
    await addAd({ daily_limit: 2, placement: "feed" }),
    await addAd({ daily_limit: 1, placement: "feed" }),
  ];
  const feed = await ask(newVisitor(0), "feed");
  expect(await feed.show(here)).toBe(true);
  expect((await ask(newVisitor(1), "feed")).ids.toSorted()).toEqual([here, there].toSorted());
  // An impression of a released reservation still counts.
  expect(await feed.show(there)).toBe(true);
});

test("applies a visitor's cap to slots requested together", async () => {
  const capped = await addAd({ visitor_daily_cap: 1 });
  const visitor = newVisitor();
  await visitor.call("GET", "/api/spots/public?placement=footer", undefined, visitor.headers);
  const lists = await Promise.all([ask(visitor), ask(visitor), ask(visitor)]);
  expect(lists.flatMap(({ ids }) => ids)).toEqual([capped]);
  expect((await ask(newVisitor(1))).ids).toEqual([capped]);
});

test.each([
  ["an ad", async () => [await addAd({ visitor_daily_cap: 1 })]],
  [
    "a campaign",
    async () => {
      const id = await addCampaign({ visitor_daily_cap: 1 });
      const { campaign_id } = await first.database.db
        .selectFrom("ads")
        .select("campaign_id")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return [id, await addAd({ campaign_id })];
    },
  ],
])("counts no more than the cap per visitor of %s for late impressions", async (_, add) => {
  const capped = await add();
  const visitor = newVisitor();
  const lists: Awaited<ReturnType<typeof ask>>[] = [];
  for (let tab = 0; tab < 3; tab += 1) {
    lists.push(await ask(visitor));
    nowMs += 21_000;
  }
  const show = ({ ids, show }: (typeof lists)[number]) => {
    const id = ids[0] ?? "";
    expect(capped).toContain(id);
    return show(id);
  };
  const counted = await Promise.all(lists.slice(0, 2).map(show));
  expect(counted.filter(Boolean)).toHaveLength(1);
  expect(await Promise.all(lists.slice(2).map(show))).toEqual([false]);
  // Other visitors' impressions still count.
  expect(await show(await ask(newVisitor(1)))).toBe(true);
});

test("reserves nothing for robots", async () => {
  const limited = await addAd({ daily_limit: 1 });
  const robot = newVisitor();
  const headers = {
    ...robot.headers,
    "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)",
  };
  const path = "/api/spots/public?placement=header";
  const { json } = await robot.call("GET", path, undefined, headers);
  expect(json.ads).toHaveLength(1);
  expect((await ask(newVisitor())).ids).toEqual([limited]);
});
