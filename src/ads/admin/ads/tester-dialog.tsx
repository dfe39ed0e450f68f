import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import {
  canPlayType,
  parseXmlInBrowser,
  loadDirectly,
  loadFrom,
  startChain,
} from "../../web/video/browser-vast.ts";
import { orderMediaFiles } from "../../web/vast/media-choice.ts";
import { chooseForSlot } from "../../web/vast/pod-order.ts";
import { resolveVast, type ChainStep, type LoadVast } from "../../web/vast/resolve-vast.ts";
import type { PlayableAd, VastResult, VmapBreak } from "../../web/vast/vast-ad.ts";
import { fetchTagByServer } from "./calls.ts";

interface TagReport {
  steps: { url: string; depth: number; isOk: boolean; result: string }[];
  problems: string[];
  /** Names and values that describe the chosen ad. Null if no ad would be shown. */
  chosen: [string, string][] | null;
}

/** Width of a player on a desktop. */
const playerWidthPx = 960;

/**
 * Resolves a tag with the player's code: first in this browser, then with documents fetched by the
 * server. The report lists the differences.
 */
async function testTag(url: string): Promise<TagReport> {
  const direct = await follow(url, loadDirectly(startChain()));
  const problems: string[] = [];
  let used = direct;
  if (direct.steps.some(({ response }) => !response.ok && response.reason === "unreachable")) {
    const served = await follow(url, loadFrom(await fetchTagByServer(url)));
    const isBetter = served.steps.some(({ response }) => response.ok);
    problems.push(
      isBetter
        ? "Browsers can't read this tag from your pages, because it lacks an Access-Control-Allow-Origin header or uses HTTP on an HTTPS site. Visitors get it through your server, which takes a little longer."
        : "Neither this browser nor your server can read the tag. Your server can only fetch from the public internet.",
    );
    if (isBetter) used = served;
  }
  const { result, steps } = used;
  const choice = chooseForSlot(result.ads);
  if (result.documentFailure !== null) problems.push(withCode(result.documentFailure));
  for (const failed of result.ads.filter((ad) => ad.outcome === "error")) {
    problems.push(`${failed.id === null ? "" : `Ad ${failed.id}: `}${withCode(failed)}`);
  }
  const { breaks } = result;
  for (const one of breaks ?? []) if (one.problem !== null) problems.push(withCode(one.problem));
  if (result.ads.length === 0 && result.documentFailure === null && breaks === undefined) {
    problems.push("The tag's response contains no ad (303).");
  }
  problems.push(
    ...steps.flatMap((step) => step.warnings.map((warning) => `${step.url}: ${warning}`)),
  );
  if (choice.play !== null) problems.push(...judge(choice.play, url));
  return {
    problems: [...new Set(problems)],
    steps: steps.map((step) => ({ ...step, isOk: step.response.ok, result: wordsFor(step) })),
    chosen:
      breaks !== undefined
        ? breaks.map(describeBreak)
        : choice.play === null
          ? null
          : describe(choice.play, result),
  };
}

async function follow(url: string, load: LoadVast) {
  const steps: ChainStep[] = [];
  const result = await resolveVast(url, {
    load,
    parseXml: parseXmlInBrowser,
    canPlay: canPlayType,
    takesBreaks: true,
    resolvesAll: true,
    onStep: (step) => steps.push(step),
  });
  return { steps, result };
}

const withCode = ({ code, reason }: { code: number; reason: string }) => `${reason} (${code})`;

function wordsFor({ response }: ChainStep): string {
  if (response.ok) return `${response.text.length.toLocaleString()} characters`;
  if (response.reason === "status") return `Status ${response.status}`;
  return { timeout: "No response in time", unreachable: "Unreachable", too_large: "Too large" }[
    response.reason
  ];
}

/** Returns problems with an ad that can play. */
function judge(ad: PlayableAd, url: string): string[] {
  const file = orderMediaFiles(ad.mediaFiles, playerWidthPx)[0];
  return [
    ...(ad.impressions.length === 0
      ? ["The ad has no impression URL, so its views aren't reported to any ad server."]
      : []),
    ...(ad.clickThrough === null
      ? ["The response has no click-through URL. The link URL of your ad is used, if you set one."]
      : []),
    ...(ad.durationS !== null && ad.durationS > 15
      ? [
          `The ad lasts ${ad.durationS} s. Ad breaks end after 15 s, so it won't count as completed.`,
        ]
      : []),
    ...(url.startsWith("https:") && file?.url.startsWith("http:") === true
      ? ["The video uses HTTP, so browsers may block it on HTTPS pages."]
      : []),
  ];
}

/** Describes one break of a VMAP document. Its ads are only requested when it starts. */
function describeBreak({ at, source }: VmapBreak): [string, string] {
  const time = typeof at === "string" ? at : at.kind === "seconds" ? `${at.s} s` : `${at.percent}%`;
  if (source === null) return [`Break at ${time}`, "not shown"];
  return [`Break at ${time}`, "url" in source ? source.url : "VAST inside the VMAP document"];
}

function describe(ad: PlayableAd, result: VastResult): [string, string][] {
  const file = orderMediaFiles(ad.mediaFiles, playerWidthPx)[0];
  const skip =
    ad.skip === null
      ? "after 5 s"
      : ad.skip.kind === "seconds"
        ? `after ${ad.skip.s} s`
        : `after ${ad.skip.percent}%`;
  return [
    ["Ad", [ad.id, ad.title].filter((part) => part !== null).join(" · ") || "Unnamed"],
    [
      "File",
      file === undefined ? "none" : `${file.url} (${file.type}, ${file.widthPx}×${file.heightPx})`,
    ],
    ["Other files", String(ad.mediaFiles.length - 1)],
    [
      "Duration",
      ad.durationS === null || ad.durationS === 0
        ? "Measured during playback"
        : `${ad.durationS} s`,
    ],
    ["Skip", skip],
    ["Wrappers", String(ad.wrapperCount)],
    ["Impression URLs", String(ad.impressions.length)],
    ["Events", [...ad.tracking.keys()].join(", ") || "none"],
    ["Click-through", ad.clickThrough ?? "none"],
    ["Ads in the response", String(result.ads.length)],
  ];
}

/** Follows a VAST tag and reports the chain, the chosen file and all problems. */
export function TesterDialog({ initialUrl, onClose }: { initialUrl: string; onClose: () => void }) {
  const [url, setUrl] = useState(initialUrl);
  const testing = useMutation({ mutationFn: testTag });
  const isAddress = /^https?:\/\//.test(url.trim()) && URL.canParse(url.trim());
  return (
    <Dialog isOpen size="large" title="Test a VAST tag" onClose={onClose}>
      <form
        className="mb-5 flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isAddress && !testing.isPending) testing.mutate(url.trim());
        }}
      >
        <TextField
          label="VAST tag URL"
          type="url"
          required
          hasMark={false}
          className="min-w-64 flex-1"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Button kind="primary" type="submit" disabled={!isAddress || testing.isPending}>
          {testing.isPending ? "Testing..." : "Test"}
        </Button>
      </form>
      <div aria-live="polite">
        {testing.isError ? (
          <p className="text-danger-text">Couldn't run the test. Try again.</p>
        ) : null}
        {testing.data === undefined ? null : <Report report={testing.data} />}
      </div>
    </Dialog>
  );
}

function Report({ report }: { report: TagReport }) {
  return (
    <div className="grid gap-5">
      <section>
        <h3 className="mb-2 font-semibold">What visitors would see</h3>
        {report.chosen === null ? (
          <p className="text-danger-text">No ad. The video starts right away.</p>
        ) : (
          <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[9rem_1fr]">
            {report.chosen.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-ink-11">{name}</dt>
                <dd className="min-w-0 break-all">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      <section>
        <h3 className="mb-2 font-semibold">Problems</h3>
        {report.problems.length === 0 ? (
          <p className="text-done-text">None found.</p>
        ) : (
          <ul className="grid gap-1.5">
            {report.problems.map((problem) => (
              <li key={problem} className="break-words">
                {problem}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h3 className="mb-2 font-semibold">Request chain</h3>
        <ol className="grid gap-2">
          {report.steps.map((step, at) => (
            <li
              key={`${at} ${step.url}`}
              className="rounded-md bg-ink-3 px-3 py-2"
              style={{ marginLeft: `${step.depth}rem` }}
            >
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone={step.isOk ? "done" : "danger"}>{step.result}</Badge>
                <span className="text-sm text-ink-11">
                  {step.depth === 0 ? "Tag" : `Wrapper ${step.depth}`}
                </span>
              </p>
              <p className="mt-1 text-sm break-all">{step.url}</p>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
