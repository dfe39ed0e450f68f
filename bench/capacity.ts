import { parseArgs } from "node:util";
import { videoList } from "#contract/videos/videos.ts";
import { OperatorError } from "#server/lib/operator-error.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { pacedLoad, type PacedRequest, type PacedResult } from "./support/paced-load.ts";

const usage = "npm run bench -- capacity URL [--seconds 10] [--videos 100]";

/** Connections of the closed load. A step that adds less than 5% ends it. */
const connectionSteps = [1, 4, 16, 64, 256];
/** Rates of the open load, as fractions of the closed load's highest rate. */
const rateShares = [0.25, 0.5, 0.75, 0.9];
const openConnections = 256;

/**
 * Measures how many reads an installation serves: `npm run bench -- capacity URL`. It only sends
 * GET requests, which count no views. Run it from another machine, against a site of your own.
 */
export async function run(args: string[]): Promise<BenchTable> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seconds: { type: "string", default: "10" },
      videos: { type: "string", default: "100" },
    },
  });
  const [url] = positionals;
  if (url === undefined || !URL.canParse(url)) throw new OperatorError(usage);
  const requests = await listRequests(url, Number(values.videos));
  const seconds = Number(values.seconds);
  const measure = (perS: number, connections: number) =>
    pacedLoad(url, { requests, perS, seconds, connections });

  await measure(Number.POSITIVE_INFINITY, 16); // fills the caches
  const rows: BenchTable["rows"] = [];
  let highest = 0;
  for (const connections of connectionSteps) {
    const result = await measure(Number.POSITIVE_INFINITY, connections);
    rows.push([`closed, ${connections} connections`, "", ...cells(result)]);
    const isLast = result.perS < highest * 1.05;
    highest = Math.max(highest, result.perS);
    if (isLast) break;
  }
  for (const share of rateShares) {
    const perS = Math.max(1, Math.round(highest * share));
    const result = await measure(perS, openConnections);
    rows.push([`open, ${share * 100}% of the highest rate`, perS, ...cells(result)]);
  }
  return {
    title: "Capacity of an installation",
    columns: ["load", "asked/s", "served/s", "p50 ms", "p95 ms", "p99 ms", "failures"],
    rows,
    notes: [
      `${requests.length} different GET requests in turn: pages, lists, related videos and single videos. ${seconds} s each, after as long to warm up.`,
      "Closed: each connection sends its next request when it has a response. Open: requests are sent at a fixed rate, however slow the responses are.",
      "Plan with the highest open rate without failures, at a p95 you accept. If fewer requests are served than asked for, the site is overloaded.",
      "wrk needs up to a core. If it runs on the same machine, the site gets that much less.",
    ],
  };
}

const cells = ({ perS, p50Ms, p95Ms, p99Ms, failures }: PacedResult) => [
  ...[perS, p50Ms, p95Ms, p99Ms],
  failures,
];

/** Returns five typical requests for each of the newest videos: three lists and pages, two API calls. */
async function listRequests(url: string, limit: number): Promise<PacedRequest[]> {
  const response = await fetch(new URL(`/api/videos?published=true&limit=${limit}`, url));
  if (!response.ok)
    throw new OperatorError(`${url} responds ${response.status} to a list of videos.`);
  const { videos } = videoList.parse(await response.json());
  if (videos.length === 0) throw new OperatorError(`${url} has no published video to ask for.`);
  const get = (path: string): PacedRequest => ({ method: "GET", path });
  return videos.flatMap(({ id, slug }, index) => [
    get(["/home", "/trending", "/home?sort=most_viewed"][index % 3] ?? "/home"),
    get(`/video/${slug}`),
    get(`/api/videos/${slug}`),
    get(`/api/videos/${id}/related`),
    get(`/api/videos?published=true&limit=12&offset=${(index % 8) * 12}`),
  ]);
}
