import { createSecretKey } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { languagesOf } from "#server/http/page-language.ts";
import { isHoursLine, readHours } from "../../contract/campaign-hours.ts";
import { newId } from "#server/lib/ids.ts";
import { looksLikeRobot } from "#server/http/access/user-agent.ts";
import { createCallLimiter } from "../vast/vast.routes.ts";
import {
  adDeviceOf,
  isWithinLimits,
  readsLanguage,
  suitsAudience,
  type DeliveryRules,
} from "../rules/delivery-rules.ts";
import { drawByWeight } from "./draw-request.ts";
import { createWeekHours } from "../rules/campaign-rules.ts";
import { listScripts, originsOf, unusableScripts } from "../../contract/html-sources.ts";
import { adKey, createServeTokens } from "../serves/serve-token.ts";

const rules: DeliveryRules = {
  startsAtMs: -Infinity,
  endsAtMs: Infinity,
  zone: "UTC",
  isHouse: false,
  visitorDailyCap: null,
  dailyLimit: null,
  totalLimit: null,
  hasEvenPacing: true,
  targetCategories: [],
  targetDevices: [],
  targetLanguages: [],
};
const noon = Date.UTC(2026, 4, 4, 12);

/** Counts how often each item comes first over many draws. */
function picks(weights: number[], limit: number, draws: number): number[] {
  let seed = 7;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const pool = weights.map((weight, at) => ({ weight, at }));
  const counts = weights.map(() => 0);
  for (let draw = 0; draw < draws; draw += 1) {
    const drawn = drawByWeight(pool, limit, random);
    expect(new Set(drawn.map(({ at }) => at)).size).toBe(Math.min(limit, weights.length));
    const [first] = drawn;
    if (first !== undefined) counts[first.at] = (counts[first.at] ?? 0) + 1;
  }
  return counts;
}

test.each([
  [[1, 1, 1, 1, 1, 1, 1], 5],
  [[1, 3], 5],
  [[1, 2, 3, 4, 10], 2],
  [[5, 5, 1, 1, 1, 1], 1],
])("serves every ad first in proportion to weights %j, with limit %d", (weights, limit) => {
  const draws = 20_000;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [at, count] of picks(weights, limit, draws).entries()) {
    const share = (weights[at] ?? 0) / total;
    // Five standard deviations of a binomial.
    const margin = 5 * Math.sqrt(draws * share * (1 - share));
    expect(Math.abs(count - draws * share)).toBeLessThan(margin);
  }
});

test("draws nothing from an empty pool", () => {
  expect(drawByWeight([], 5, Math.random)).toEqual([]);
});

test("spreads a daily limit over the day, or uses it up at once", () => {
  const daily = { ...rules, dailyLimit: 100 };
  expect(isWithinLimits(daily, { today: 50, total: 0 }, noon)).toBe(true);
  expect(isWithinLimits(daily, { today: 51, total: 0 }, noon)).toBe(false);
  expect(isWithinLimits(daily, { today: 0, total: 0 }, Date.UTC(2026, 4, 4))).toBe(true);
  const atOnce = { ...daily, hasEvenPacing: false };
  expect(isWithinLimits(atOnce, { today: 99, total: 0 }, noon)).toBe(true);
  expect(isWithinLimits(atOnce, { today: 100, total: 0 }, noon)).toBe(false);
});

test("spreads a total limit over the ad's dates if it has both", () => {
  const open = { ...rules, totalLimit: 10 };
  expect(isWithinLimits(open, { today: 0, total: 9 }, noon)).toBe(true);
  expect(isWithinLimits(open, { today: 0, total: 10 }, noon)).toBe(false);
  const dated = { ...open, startsAtMs: noon - 1000, endsAtMs: noon + 1000 };
  expect(isWithinLimits(dated, { today: 0, total: 5 }, noon)).toBe(true);
  expect(isWithinLimits(dated, { today: 0, total: 6 }, noon)).toBe(false);
});

test("matches every visitor without targets, and otherwise requires a match of each kind", () => {
  const audience = {
    device: "phone" as const,
    languages: ["de-ch", "en"],
    categories: ["news"],
    tags: [],
    country: null,
  };
  expect(suitsAudience(rules, audience)).toBe(true);
  expect(suitsAudience({ ...rules, targetLanguages: ["de"] }, audience)).toBe(true);
  expect(suitsAudience({ ...rules, targetLanguages: ["de-de"] }, audience)).toBe(false);
  const both = { ...rules, targetDevices: ["phone" as const], targetCategories: ["sport"] };
  expect(suitsAudience(both, audience)).toBe(false);
});

test("detects devices, bots and languages", () => {
  const iphone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari";
  const tablet = "Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 Chrome/140.0 Safari";
  const desktop =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari";
  const tv = "Mozilla/5.0 (Linux; Android 9; BRAVIA 4K) AppleWebKit/537.36 Chrome/140.0 Safari";
  expect([iphone, tablet, desktop, tv].map((agent) => adDeviceOf(agent))).toEqual([
    "phone",
    "tablet",
    "desktop",
    "desktop",
  ]);
  expect(adDeviceOf(desktop, "?1")).toBe("phone");
  const ofBrand = (name: string) =>
    `Mozilla/5.0 (Linux; Android 11; ${name}) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36`;
  const brands = ["CUBOT", "CUBOT NOTE 20", "CUBOT_X30", "M BOT 54"].map(ofBrand);
  expect([iphone, desktop, ...brands].some(looksLikeRobot)).toBe(false);
  for (const agent of [
    undefined,
    "",
    "curl/8.0.1",
    `${desktop} HeadlessChrome`,
    "bingbot/2.0 xxxxxxxxxxx",
    `${ofBrand("CUBOT NOTE 20")} (compatible; Googlebot/2.1)`,
  ]) {
    expect(looksLikeRobot(agent)).toBe(true);
  }
  expect(languagesOf("en;q=0.5, de-CH , *;q=0.1, fr;q=0")).toEqual(["de-ch", "en"]);
  expect(languagesOf("x".repeat(10_000))).toEqual([]);
  expect(readsLanguage(["pt-br"], ["pt"])).toBe(false);
});

test("includes both written forms in Norwegian", () => {
  expect(["no", "nb", "nn-no", "da"].map((tag) => readsLanguage(["no"], [tag]))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(readsLanguage(["nb"], ["nn"])).toBe(false);
});

describe("a serve token", () => {
  let now = noon;
  const tokens = createServeTokens(createSecretKey(Buffer.alloc(32, 1)), () => now);
  const [visitorId, other] = [newId(), newId()];
  const ads = Array.from({ length: 5 }, () => newId());
  const served = { visitorId, placement: "feed", adKeys: ads.map(adKey) } as const;
  beforeEach(() => {
    now = noon;
  });

  test("contains its placement and ads, and differs for every response", () => {
    const token = tokens.create(served);
    expect(token).toMatch(/^[\w-]{73}$/);
    const read = tokens.read(token, visitorId);
    expect(read?.serve).toMatch(/^-?\d+$/);
    expect(read?.placement).toBe("feed");
    expect(ads.every((id) => read?.hasAd(id))).toBe(true);
    expect(read?.hasAd(newId())).toBe(false);
    const anywhere = tokens.create({ visitorId, placement: null, adKeys: [] });
    expect(tokens.read(anywhere, visitorId)?.placement).toBeNull();
    const serves = Array.from(
      { length: 2000 },
      () => tokens.read(tokens.create(served), visitorId)?.serve,
    );
    expect(new Set(serves).size).toBe(2000);
  });

  test("is valid for its visitor only", () => {
    expect(tokens.read(tokens.create(served), other)).toBeNull();
  });

  test("is refused when any character differs, or ads are added or left out", () => {
    const token = tokens.create(served);
    for (let at = 0; at < token.length; at += 1) {
      const changed = token[at] === "A" ? "B" : "A";
      expect(tokens.read(token.slice(0, at) + changed + token.slice(at + 1), visitorId)).toBeNull();
    }
    expect(tokens.read(token.slice(0, 17) + token.slice(25), visitorId)).toBeNull();
    const more = token.slice(0, 17) + adKey(newId()) + token.slice(17);
    expect(tokens.read(more, visitorId)).toBeNull();
    for (const text of ["", "-", "x".repeat(33), "é".repeat(41)]) {
      expect(tokens.read(text, visitorId)).toBeNull();
    }
    const secondSecret = createServeTokens(createSecretKey(Buffer.alloc(32, 2)), () => now);
    expect(secondSecret.read(token, visitorId)).toBeNull();
  });

  test("expires after twelve hours", () => {
    const token = tokens.create(served);
    now += 12 * 3600 * 1000 - 60_000;
    expect(tokens.read(token, visitorId)).not.toBeNull();
    now += 121_000;
    expect(tokens.read(token, visitorId)).toBeNull();
  });
});

test("finds scripts as a browser does", () => {
  const html = `<SCRIPT>a("</b>")</SCRIPT ><script
    data-a='>' src=//cdn.example/x.js defer></script><!-- <script>no</script> -->
    <scripty>no</scripty><script type="text/template"><b></script><script type=module>c</script>
    <script src="/own.js"></script><script>unfinished`;
  expect(listScripts(html)).toEqual([
    { src: null, code: 'a("</b>")' },
    { src: "//cdn.example/x.js", code: "" },
    { src: null, code: "c" },
    { src: "/own.js", code: "" },
  ]);
  expect(originsOf(html)).toEqual(["https://cdn.example"]);
  const framed = `<iframe src="https://frames.example/a"></iframe><!-- <iframe src="//no.example">`;
  expect(originsOf(html + "</script>" + framed)).toEqual([
    "https://cdn.example",
    "https://frames.example",
  ]);
  // Linear in the text's length: hostile HTML of this size must not block the server.
  expect(listScripts("<script ".repeat(20_000))).toEqual([]);
});

test("lists a script's host only if it is a plain host name", () => {
  const origins = (src: string) => originsOf(`<script src="${src}"></script>`);
  expect(origins("https://CDN.example:8443/x.js?a=1")).toEqual(["https://cdn.example:8443"]);
  expect(origins("http://user:word@cdn.example/x.js")).toEqual(["http://cdn.example"]);
  const refused = [
    "https://x.example;sandbox/x.js",
    "https://*",
    "https://*.example/x.js",
    "https://x.example,y.example/x.js",
    "https://'unsafe-inline'/x.js",
    "https://[::1]/x.js",
    "https://-x.example/x.js",
    "https://x example/x.js",
  ];
  for (const src of refused) {
    expect(origins(src)).toEqual([]);
    expect(unusableScripts(`<script src="${src}"></script>`)).toEqual([src]);
  }
  expect(unusableScripts(`<script src="/own.js"></script><script src="//a.example/x.js">`)).toEqual(
    [],
  );
});

test("limits calls per key and minute", () => {
  let now = 0;
  const limiter = createCallLimiter(2, { now: () => now, date: () => new Date(now) });
  limiter.take("a");
  limiter.take("a");
  limiter.take("b");
  expect(() => limiter.take("a")).toThrow(expect.objectContaining({ code: "rate_limited" }));
  now += 60_000;
  limiter.take("a");
});

test("parses hours of the week", () => {
  expect(readHours(["tue 22-24", "wed 0-1", "wed 0-1"])).toEqual([46, 47, 48]);
  expect([readHours(["mon-sun"]).length, readHours([]).length]).toEqual([168, 168]);
  for (const line of ["", "mon 8", "fri-mon", "mon 9-9", "mon 9-25", "xyz", "mon 08-18 x"]) {
    expect(isHoursLine(line)).toBe(false);
  }
  const hours = createWeekHours(readHours(["mon-fri 08-18"]), "UTC");
  // A Monday at noon.
  expect(hours.isActive(noon)).toBe(true);
  expect(hours.isActive(noon + 6 * 3_600_000)).toBe(false);
  const inHours = (from: number, to: number) => hours.activeMs(noon + from, noon + to) / 3_600_000;
  expect(inHours(0, 30 * 60_000)).toBe(0.5);
  expect(inHours(0, 24 * 3_600_000)).toBe(10);
  expect(inHours(0, 2 * 168 * 3_600_000)).toBe(100);
});

test("applies hours of the week in local time, even when the clocks change", () => {
  const berlin = createWeekHours(readHours(["sun 00-06"]), "Europe/Berlin");
  const at = (text: string) => Date.parse(text);
  // Midnight is 23:00 in winter and 22:00 in summer.
  expect(berlin.isActive(at("2026-03-28T23:30Z"))).toBe(true);
  expect(berlin.isActive(at("2026-03-29T04:30Z"))).toBe(false);
  expect(berlin.isActive(at("2026-07-04T22:30Z"))).toBe(true);
  for (const day of ["2026-03-29", "2026-07-05", "2026-10-25"]) {
    const noonMs = at(`${day}T12:00Z`);
    expect(berlin.activeMs(noonMs - 24 * 3_600_000, noonMs)).toBe(6 * 3_600_000);
  }
});

test("spreads a daily limit over the day of the zone", () => {
  const spread = { ...rules, dailyLimit: 24, zone: "Asia/Tokyo" };
  // 15:00 in UTC is midnight in Tokyo.
  const within = (today: number, hourUtc: number) =>
    isWithinLimits(spread, { today, total: today }, Date.UTC(2026, 4, 4, hourUtc));
  expect([within(1, 15), within(1, 17), within(23, 14), within(24, 14)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
