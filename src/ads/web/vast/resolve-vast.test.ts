import { DOMParser } from "@xmldom/xmldom";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chooseForSlot, chooseSequence } from "./pod-order.ts";
import { type LoadVast, resolveVast } from "./resolve-vast.ts";

const quiet = { warning: () => {}, error: () => {}, fatalError: () => {} };
const parseXml = (text: string) =>
  new DOMParser({ errorHandler: quiet }).parseFromString(text, "text/xml");

const inline = (inside: string, attributes = "") => `
  <Ad id="in"><InLine><AdTitle>t</AdTitle><Impression>http://i/x</Impression>
  <Creatives><Creative><Linear ${attributes}><Duration>00:00:10</Duration>${inside}
  <MediaFiles><MediaFile type="video/mp4" codec="'&quot;;x">http://m/a.mp4</MediaFile></MediaFiles>
  </Linear></Creative></Creatives></InLine></Ad>`;
const vast = (ads: string) => `<VAST version="4.2">${ads}</VAST>`;
const wrapper = (url: string, attributes = "") =>
  `<Ad><Wrapper ${attributes}><Error>http://e/w</Error><VASTAdTagURI>${url}</VASTAdTagURI></Wrapper></Ad>`;

async function resolve(routes: Record<string, string>) {
  const requested: string[] = [];
  const load: LoadVast = async (url) => {
    requested.push(url);
    const text = routes[url];
    return text === undefined ? { ok: false, reason: "unreachable" } : { ok: true, text };
  };
  const canPlay = (type: string) => type === "video/mp4";
  const result = await resolveVast("http://root/a/tag.xml", { load, parseXml, canPlay });
  return { ...result, requested, choice: chooseForSlot(result.ads) };
}

test.each([
  "javascript:alert(1)",
  "java&#10;script:alert(1)",
  "java&#9;script:alert(1)",
  "javascript&#13;:alert(1)",
])("ignores %s as a click-through", async (address) => {
  const { choice } = await resolve({
    "http://root/a/tag.xml": vast(
      inline(`<VideoClicks><ClickThrough>${address}</ClickThrough>
        <ClickTracking>data:text/html,x</ClickTracking><ClickTracking>//c/t</ClickTracking>
        <ClickTracking>/rooted?[CACHEBUSTING]</ClickTracking></VideoClicks>`),
    ),
  });
  expect(choice.play?.clickThrough).toBeNull();
  expect(choice.play?.clickTracking).toEqual(["http://c/t", "http://root/rooted?[CACHEBUSTING]"]);
});

test("collects vendors of verification scripts from the elements and extensions of all levels", async () => {
  const verification = (url: string) => `<AdVerifications><Verification vendor="v.test-omid">
    <JavaScriptResource apiFramework="omid" browserOptional="true">http://v/omid.js</JavaScriptResource>
    <TrackingEvents><Tracking event="verificationNotExecuted">${url}</Tracking>
    <Tracking event="other">http://v/other</Tracking></TrackingEvents>
    </Verification></AdVerifications>`;
  const inner = inline("").replace("<Creatives>", `${verification("/in?[REASON]")}<Creatives>`);
  const extension = `<Extensions><Extension type="AdVerifications">${verification("http://v/out")}</Extension></Extensions>`;
  const { choice } = await resolve({
    "http://root/a/tag.xml": vast(
      wrapper("http://in/tag").replace("</Wrapper>", `${extension}</Wrapper>`),
    ),
    "http://in/tag": vast(inner),
  });
  expect(choice.play?.notVerified).toEqual(["http://v/out", "http://in/in?[REASON]"]);
});

test("accepts event names that are also names of object properties", async () => {
  const { choice } = await resolve({
    "http://root/a/tag.xml": vast(
      inline(`<TrackingEvents><Tracking event="constructor">http://t/c</Tracking>
        <Tracking event="__proto__">http://t/p</Tracking>
        <Tracking event="start">http://t/s</Tracking></TrackingEvents>`),
    ),
  });
  expect(choice.play?.tracking.get("start")).toEqual(["http://t/s"]);
  expect(choice.play?.tracking.get("constructor")).toEqual(["http://t/c"]);
});

test("reads the offset and duration of icons", async () => {
  const icon = (program: string, times: string) => `<Icon program="${program}" ${times}>
    <StaticResource creativeType="image/png">http://i/${program}.png</StaticResource></Icon>`;
  const { choice } = await resolve({
    "http://root/a/tag.xml": vast(
      inline(`<Icons>${icon("late", 'offset="00:00:02" duration="00:00:03"')}
        ${icon("whole", "")}${icon("damaged", 'offset="soon" duration="-1"')}</Icons>`),
    ),
  });
  const whole = { offsetS: 0, durationS: null };
  expect(choice.play?.icons).toMatchObject([
    { program: "late", offsetS: 2, durationS: 3 },
    { program: "whole", ...whole },
    { program: "damaged", ...whole },
  ]);
});

test("refuses a document with its own entities", async () => {
  const error = "<Error><![CDATA[http://t/error?c=[ERRORCODE]&a=1]]></Error>";
  const bomb = `<!DOCTYPE VAST [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><VAST>${error}</VAST>`;
  const { documentFailure, ads, rootErrorUrls } = await resolve({ "http://root/a/tag.xml": bomb });
  expect(documentFailure?.code).toBe(100);
  expect(ads).toEqual([]);
  expect(rootErrorUrls).toEqual(["http://t/error?c=[ERRORCODE]&a=1"]);
});

test("accepts a document type inside the ad's HTML in CDATA", async () => {
  const html = "<Extensions><Extension><![CDATA[<!DOCTYPE html><p>]]></Extension></Extensions>";
  const { choice } = await resolve({
    "http://root/a/tag.xml": vast(inline("").replace("</InLine>", `${html}</InLine>`)),
  });
  expect(choice.play).toBeDefined();
});

test("accepts a wrapper's tag in the form of VAST 1", async () => {
  const { choice } = await resolve({
    "http://root/a/tag.xml": vast(
      wrapper("http://root/next").replaceAll("VASTAdTagURI", "VASTAdTagURL"),
    ),
    "http://root/next": vast(inline("")),
  });
  expect(choice.play?.wrapperCount).toBe(1);
});

test("limits the levels and the documents of branching wrappers", async () => {
  const ten = Array.from({ length: 10 }, () => wrapper("http://root/w", 'allowMultipleAds="true"'));
  const { ads, requested, choice } = await resolve({
    "http://root/a/tag.xml": vast(ten.join("")),
    "http://root/w": vast(ten.join("")),
  });
  expect(requested).toHaveLength(8);
  expect(choice.play).toBeNull();
  expect(ads.every((ad) => ad.outcome === "error" && ad.code === 302)).toBe(true);
});

test("requests no fallback if an ad before it can play", async () => {
  const { requested, choice } = await resolve({
    "http://root/a/tag.xml": vast(inline("") + wrapper("http://root/fallback")),
    "http://root/fallback": vast(inline("")),
  });
  expect(choice.play?.id).toBe("in");
  expect(requested).toEqual(["http://root/a/tag.xml"]);
});

test("plays the first of several chains that exceed the limits together", async () => {
  const routes = { "http://root/a/tag.xml": "" };
  for (const name of ["a", "b", "c", "d"]) {
    routes["http://root/a/tag.xml"] += wrapper(`http://root/${name}/1`);
    Object.assign(routes, {
      [`http://root/${name}/1`]: vast(wrapper(`http://root/${name}/2`)),
      [`http://root/${name}/2`]: vast(wrapper(`http://root/${name}/3`)),
      [`http://root/${name}/3`]: vast(inline("")),
    });
  }
  routes["http://root/a/tag.xml"] = vast(routes["http://root/a/tag.xml"]);
  const { requested, choice } = await resolve(routes);
  expect(choice.play?.wrapperCount).toBe(3);
  expect(requested.at(-1)).toBe("http://root/a/3");
});

test("requests as many stand-alone ads as a pod needs", async () => {
  const numbered = (number: number, type = "video/mp4") =>
    inline("").replace("<Ad", `<Ad sequence="${number}"`).replace("video/mp4", type);
  const standAlone = ["empty", "first", "second"].map((name) => wrapper(`http://root/${name}`));
  const { requested, ads } = await resolve({
    "http://root/a/tag.xml": vast(numbered(1, "video/x-flv") + numbered(2) + standAlone.join("")),
    "http://root/empty": vast(""),
    "http://root/first": vast(inline("")),
    "http://root/second": vast(inline("")),
  });
  expect(requested.slice(1)).toEqual(["http://root/empty", "http://root/first"]);
  expect(chooseSequence(ads, 6).plays.map(({ wrapperCount }) => wrapperCount)).toEqual([1, 0]);
});

describe("slow servers", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const inPod = (ad: string) => ad.replace("<Ad", '<Ad sequence="1"');
  const broken = inPod(inline("").replace("video/mp4", "video/x-flv"));

  /** Resolves wrappers of an ad, or of nothing if the URL ends with "empty". */
  async function resolveSlowly(ads: string, delaysMs: Record<string, number>, maxAds = 6) {
    const requested: string[] = [];
    const load: LoadVast = async (url, depth) => {
      if (depth === 0) return { ok: true, text: vast(ads) };
      const name = url.replace("http://root/", "");
      requested.push(name);
      await new Promise((done) => setTimeout(done, delaysMs[name]));
      return { ok: true, text: vast(name === "empty" ? "" : inline("")) };
    };
    const startedAtMs = Date.now();
    const canPlay = (type: string) => type === "video/mp4";
    const resolving = resolveVast("http://root/tag", { load, parseXml, canPlay, maxAds }).then(
      (result) => ({
        playCount: chooseSequence(result.ads, maxAds).plays.length,
        requested,
        tookMs: Date.now() - startedAtMs,
      }),
    );
    await vi.advanceTimersByTimeAsync(9000);
    return resolving;
  }
  const to = (name: string) => wrapper(`http://root/${name}`);

  test("requests a substitute for a broken ad while the rest of the pod loads", async () => {
    const ads = broken + inPod(to("pod")) + to("fallback");
    const result = await resolveSlowly(ads, { pod: 1600, fallback: 1600 });
    expect(result).toMatchObject({ playCount: 2, tookMs: 1600 });
  });

  test("requests the next fallback after 500 ms without a response", async () => {
    const result = await resolveSlowly(to("empty") + to("good"), { empty: 1600, good: 1600 });
    expect(result).toMatchObject({ playCount: 1, tookMs: 2100 });
    const past = await resolveSlowly(to("hanging") + to("good"), { hanging: 8000, good: 100 });
    expect(past).toMatchObject({ playCount: 1, tookMs: 600 });
    const { requested } = await resolveSlowly(to("quick") + to("unneeded"), { quick: 499 });
    expect(requested).toEqual(["quick"]);
  });

  test("requests no substitute if the pod fills a break of one ad", async () => {
    const ads = broken + inPod(inline("")) + to("unneeded");
    const result = await resolveSlowly(ads, { unneeded: 1600 }, 1);
    expect(result).toEqual({ playCount: 1, requested: [], tookMs: 0 });
  });
});

test("follows exactly five wrappers", async () => {
  const chain = (length: number) =>
    Object.fromEntries([
      ["http://root/a/tag.xml", vast(wrapper("http://root/1"))],
      ...Array.from({ length: length - 1 }, (_, at) => [
        `http://root/${at + 1}`,
        vast(wrapper(`http://root/${at + 2}`)),
      ]),
      [`http://root/${length}`, vast(inline(""))],
    ]) as Record<string, string>;
  expect((await resolve(chain(5))).choice.play?.wrapperCount).toBe(5);
  expect((await resolve(chain(6))).choice.failed[0]?.code).toBe(302);
});

test("resolves root-relative and relative wrappers against their own document", async () => {
  const { requested, choice } = await resolve({
    "http://root/a/tag.xml": vast(wrapper("/deep/b/next.xml")),
    "http://root/deep/b/next.xml": vast(wrapper("last.xml")),
    "http://root/deep/b/last.xml": vast(inline("")),
  });
  expect(requested.at(-1)).toBe("http://root/deep/b/last.xml");
  expect(choice.play?.id).toBe("in");
});

test("takes a single numbered ad from a wrapper that allows one", async () => {
  const numbered = inline("").replace('<Ad id="in">', '<Ad id="in" sequence="1">');
  const { choice } = await resolve({
    "http://root/a/tag.xml": vast(wrapper("http://root/w")),
    "http://root/w": vast(numbered),
  });
  expect(choice.play?.id).toBe("in");
  expect(choice.play?.sequence).toBeNull();
});

test("reports a specific error code for a broken wrapped document", async () => {
  const code = async (text: string) =>
    (
      await resolve({
        "http://root/a/tag.xml": vast(wrapper("http://root/w")),
        "http://root/w": text,
      })
    ).choice.failed.map((ad) => [ad.code, ad.errorUrls]);
  expect(await code("<VideoAdServingTemplate/>")).toEqual([[102, ["http://e/w"]]]);
  expect(await code("<html/>")).toEqual([[101, ["http://e/w"]]]);
  expect(await code(vast("<Error>http://e/root</Error>"))).toEqual([
    [303, ["http://e/w", "http://e/root"]],
  ]);
});
