import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { aac, h264, tone } from "#test/sample-videos.ts";

/** Returns the bytes of a test video of this length. */
async function readAdVideo(seconds: number): Promise<Buffer> {
  const path = await encodeClip("ad.mp4", [
    ...["-f", "lavfi", "-i", `testsrc=size=320x180:rate=25:duration=${seconds}`],
    ...[...tone(seconds, 500), ...h264, ...aac, "-movflags", "+faststart"],
  ]);
  return readFile(path);
}

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="728" height="90"><rect width="728" height="90" fill="teal"/></svg>';

/**
 * Longer than a player waits for each step, but shorter than the content waits for the whole break.
 */
const lateMs = 1200;

export interface AdServer {
  url: string;
  /** Requested paths with their queries, in order. */
  requests: string[];
  /** Referrers of these requests. */
  referrers: (string | undefined)[];
  documents: Map<string, string | Buffer>;
  stop(): Promise<void>;
}

/**
 * Starts an ad server on its own origin. It serves `/video/8.mp4`, `/picture.svg`, `/tag/NAME`
 * (documents), `/closed/NAME` (the same without a CORS header), `/late/NAME` (the same after more
 * than a second), `/silent` (never responds), `/script.js`, `/landing`, `/network.js` and
 * `/creative`. Any other path returns a pixel.
 */
export async function startAdServer(): Promise<AdServer> {
  const requests: string[] = [];
  const referrers: (string | undefined)[] = [];
  const documents = new Map<string, string | Buffer>();

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? "/";
    requests.push(url);
    referrers.push(request.headers.referer);
    const path = url.split("?")[0] ?? "/";
    if (!path.startsWith("/closed/")) response.setHeader("access-control-allow-origin", "*");
    const [, kind, name = ""] = path.split("/");
    if (kind === "silent") return;
    if (kind === "video") {
      const body = await readAdVideo(Number.parseInt(name, 10));
      const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
      const from = Number(range?.[1] ?? 0);
      const to = range?.[2] ? Number(range[2]) : body.length - 1;
      response.writeHead(range === null ? 200 : 206, {
        "content-type": "video/mp4",
        "accept-ranges": "bytes",
        "content-length": to - from + 1,
        ...(range === null ? {} : { "content-range": `bytes ${from}-${to}/${body.length}` }),
      });
      response.end(body.subarray(from, to + 1));
    } else if (kind === "tag" || kind === "closed" || kind === "late") {
      if (kind === "late") await wait(lateMs);
      const document = documents.get(name);
      response.writeHead(document === undefined ? 404 : 200, { "content-type": "text/xml" });
      response.end(document);
    } else if (kind === "script.js") {
      response.writeHead(200, { "content-type": "text/javascript" });
      response.end("window.order = (window.order ?? []).concat('external');");
    } else if (kind === "network.js") {
      response.writeHead(200, { "content-type": "text/javascript" });
      response.end(networkScript(new URL(url, "http://self.invalid").searchParams));
    } else if (kind === "creative") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<p>A creative of the network</p>");
    } else if (kind === "landing") {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<title>landing</title>");
    } else {
      response.writeHead(200, { "content-type": "image/svg+xml" });
      response.end(picture);
    }
  }

  const server: Server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    referrers,
    documents,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * Imitates the loaders of big ad networks. The tag waits in a queue until the script has loaded.
 * The script then puts a cross-origin frame into each unit of the page, or loads another script
 * that does.
 */
function networkScript(query: URLSearchParams): string {
  const next = query.get("next");
  const step =
    next === null
      ? `const frame = document.createElement("iframe");
         frame.width = 300; frame.height = 50; frame.src = ${JSON.stringify(query.get("frame"))};
         unit.append(frame);`
      : `const script = document.createElement("script");
         script.async = true; script.src = ${JSON.stringify(next)};
         document.head.append(script);`;
  return `(window.unitQueue = window.unitQueue || []).push({});
    for (const unit of document.querySelectorAll("ins.network-unit:empty")) { ${step} }`;
}

/**
 * Returns a tag like those of ad networks: an element, and inline code that loads a script from the
 * loader.
 */
export function networkTag(loader: AdServer, frames: AdServer): string {
  const frame = encodeURIComponent(`${frames.url}/creative`);
  const render = encodeURIComponent(`${loader.url}/network.js?frame=${frame}`);
  return `<ins class="network-unit" style="display:block"></ins>
    <script>(window.unitQueue = window.unitQueue || []).push({ size: [300, 50] });
    (function (d, t) {
      var s = d.createElement(t), first = d.getElementsByTagName(t)[0];
      s.async = 1; s.src = "${loader.url}/network.js?next=${render}";
      first.parentNode.insertBefore(s, first);
    })(document, "script");</script>`;
}

/**
 * Returns a VAST document with one ad. Its beacons request URLs of the ad server that contain the
 * ad's name.
 * @param skipOffset attribute of the ad. Without it, the player's 5 s apply.
 */
export function inlineVast(
  server: AdServer,
  name: string,
  seconds: number,
  skipOffset?: string,
): string {
  const at = (event: string) =>
    `<![CDATA[${server.url}/beacon/${name}/${event}?cb=[CACHEBUSTING]]]>`;
  const events = ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "skip"];
  return `<VAST version="4.2"><Ad id="${name}"><InLine><AdSystem>t</AdSystem><AdTitle>${name}</AdTitle>
    <Error>${at("error-[ERRORCODE]")}</Error><Impression>${at("impression")}</Impression>
    <Creatives><Creative><Linear${skipOffset === undefined ? "" : ` skipoffset="${skipOffset}"`}><Duration>00:00:${String(seconds).padStart(2, "0")}</Duration>
    <TrackingEvents>${events.map((event) => `<Tracking event="${event}">${at(event)}</Tracking>`).join("")}</TrackingEvents>
    <VideoClicks><ClickThrough>${server.url}/landing</ClickThrough><ClickTracking>${at("click")}</ClickTracking></VideoClicks>
    <MediaFiles><MediaFile type="video/mp4" delivery="progressive" width="320" height="180"><![CDATA[${server.url}/video/${seconds}.mp4]]></MediaFile></MediaFiles>
    </Linear></Creative></Creatives></InLine></Ad></VAST>`;
}

/** Joins documents into one pod, in this order. */
export function podVast(documents: readonly string[]): string {
  const ads = documents.map((document, at) =>
    document
      .replace(/^<VAST[^>]*>/, "")
      .replace("</VAST>", "")
      .replace("<Ad ", `<Ad sequence="${at + 1}" `),
  );
  // Unsorted on purpose, because players must sort them.
  return `<VAST version="4.2">${ads.toReversed().join("")}</VAST>`;
}

export function wrapperVast(server: AdServer, name: string, target: string): string {
  const at = (event: string) => `<![CDATA[${server.url}/beacon/${name}/${event}]]>`;
  return `<VAST version="4.2"><Ad id="${name}"><Wrapper><AdSystem>t</AdSystem>
    <VASTAdTagURI>${target}</VASTAdTagURI>
    <Error>${at("error-[ERRORCODE]")}</Error><Impression>${at("impression")}</Impression>
    <Creatives><Creative><Linear><TrackingEvents><Tracking event="complete">${at("complete")}</Tracking></TrackingEvents></Linear></Creative></Creatives>
    </Wrapper></Ad></VAST>`;
}

/** Returns the beacons of one ad in the order of requests, without query strings. */
export function beaconsOf(server: AdServer, name: string): string[] {
  return server.requests
    .filter((url) => url.startsWith(`/beacon/${name}/`))
    .map((url) => url.slice(`/beacon/${name}/`.length).split("?")[0] ?? "");
}

/**
 * Waits for all beacons of an ad that plays to its end. Those of its start are sent together and may
 * arrive in any order.
 */
export async function expectWholeAd(server: AdServer, name: string): Promise<void> {
  await expect.poll(() => beaconsOf(server, name)).toHaveLength(6);
  const [first = "", second = "", ...later] = beaconsOf(server, name);
  expect([first, second].toSorted()).toEqual(["impression", "start"]);
  expect(later).toEqual(["firstQuartile", "midpoint", "thirdQuartile", "complete"]);
}
