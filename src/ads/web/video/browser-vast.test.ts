// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi, afterEach } from "vitest";
import { outOfTime } from "#web/features/player/core/ads/ad-provider.ts";
import { failure, stubFetch } from "#test/harness/stub-fetch.ts";
import { saveConsent } from "#web/lib/consent.ts";
import { causeOfFailure, reportFailures, resolveTag, macroEnvironment } from "./browser-vast.ts";
import { expandMacros } from "../../contract/vast-macros.ts";

const tag = "https://network.test/tag";
const throughServer = "GET /api/spots/ad/documents";
const refused = new TypeError("Failed to fetch");
const vast = `<VAST version="4.0"><Ad id="kept"><InLine><AdTitle>t</AdTitle><Creatives><Creative><Linear>
  <Duration>00:00:05</Duration><MediaFiles><MediaFile type="video/mp4">http://m/a.mp4</MediaFile></MediaFiles>
</Linear></Creative></Creatives></InLine></Ad></VAST>`;
const wrapper = `<VAST version="4.0"><Ad id="outer"><Wrapper>
  <VASTAdTagURI>https://network.test/inner</VASTAdTagURI>
  <Error>https://network.test/error/[ERRORCODE]</Error></Wrapper></Ad></VAST>`;

beforeEach(() => {
  vi.spyOn(HTMLMediaElement.prototype, "canPlayType").mockReturnValue("maybe");
});

const resolve = (signal = new AbortController().signal) =>
  resolveTag({ id: "ad" }, { url: tag }, { signal, maxAds: 1 });

test("fetches a tag through our server if the browser may not", async () => {
  const documents = [{ url: tag, redirects: 0, text: vast, problem: null, status: 200 }];
  const server = stubFetch({ [`GET ${tag}`]: refused, [throughServer]: { documents } });
  const { choice } = await resolve();
  expect(choice.plays.map(({ outcome }) => outcome)).toEqual(["play"]);
  expect(server.sentTo(throughServer)).toHaveLength(1);
});

describe("a broken ad server", () => {
  test("is unreachable if neither the browser nor our server gets the tag", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    stubFetch({ [`GET ${tag}`]: refused, [throughServer]: failure(502) });
    expect(causeOfFailure(await resolve())).toBe("unreachable");
  });

  test("reports a wrapped tag without a response to the network, as a timeout", async () => {
    const ending = new AbortController();
    const server = stubFetch({
      [`GET ${tag}`]: new Response(wrapper),
      "GET https://network.test/inner": () => {
        ending.abort(outOfTime());
        return new Promise(() => {});
      },
      "GET https://network.test/error/301": "",
    });
    const resolved = await resolve(ending.signal);
    expect(causeOfFailure(resolved)).toBe("timeout");
    reportFailures(resolved);
    expect(server.sent.at(-1)?.url).toBe("https://network.test/error/301");
  });
});

afterEach(() => Reflect.deleteProperty(window, "__tcfapi"));

const expand = (template = "/?c=[GDPRCONSENT]") => expandMacros(template, {}, macroEnvironment);

test("passes no consent, the visitor's choice, or a platform's string to ads", () => {
  expect(expand()).toBe("/?c=-1");
  saveConsent("no");
  expect(expand()).toBe("/?c=0");
  saveConsent("yes");
  expect(expand()).toBe("/?c=1");

  const listeners: ((data: unknown, isOk: boolean) => void)[] = [];
  const platform = (command: string, version: number, listener: (typeof listeners)[number]) => {
    expect([command, version]).toEqual(["addEventListener", 2]);
    listeners.push(listener);
    listener({ tcString: "" }, true);
  };
  Reflect.set(window, "__tcfapi", platform);
  expect(expand()).toBe("/?c=1");
  expect(expand("${GDPR}")).toBe("");
  const tcString = "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA";
  listeners[0]?.({ tcString, gdprApplies: true }, true);
  expect(expand()).toBe(`/?c=${tcString}`);
  expect(expand("${GDPR}&${GDPR_CONSENT_1}")).toBe(`1&${tcString}`);
  listeners[0]?.(null, false);
  expect(expand()).toBe("/?c=1");
  expect(listeners).toHaveLength(1);
});
