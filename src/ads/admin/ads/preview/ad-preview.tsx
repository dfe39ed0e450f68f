import { useEffect, useRef, useState, type CSSProperties } from "react";
import { isListedOrigin, originLimits } from "#ads/contract/ad-origins.ts";
import { adPlacements, type AdPlacement, type PublicAd } from "#ads/contract/ads.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { AdCreative } from "#ads/web/components/ad-creative.tsx";
import { listenToFrame, type Blocked } from "#ads/web/core/frame-messages.ts";
import { frameSandbox } from "#ads/contract/ad-frame.ts";
import { fitFrame } from "#ads/web/core/fit-frame.ts";
import { classNames } from "#web/components/ui/class-names.ts";
import { useQuiet } from "#web/features/admin/shared/use-quiet.ts";
import type { AdForm } from "../ad-form.ts";
import { adMessages as messages, deviceLabels, placementLabels } from "../messages.ts";
import { DeviceFrame } from "./device-frame.tsx";
import { PreviewPage } from "./preview-page.tsx";
import {
  stagedAd,
  isAdBreakPlacement,
  isShownIn,
  placementsOf,
  previewDevices,
  previewSizes,
  type StagedAd,
  type PreviewDevice,
} from "./staged-ad.ts";

/** Shows the HTML in the same sandbox as on the site, so that it never runs in the back office. */
function HtmlFrame({
  ad: { html, origins, widthPx, heightPx },
  canGrow,
  isBreak,
  onBlocked,
}: {
  ad: StagedAd;
  /** Lets the slot grow to the height of its content. */
  canGrow: boolean;
  /** True in an ad break, which the HTML fills without being scaled. */
  isBreak: boolean;
  onBlocked: (blocked: Blocked) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [style, setStyle] = useState<CSSProperties>({});
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const declared = widthPx === null || heightPx === null ? null : { widthPx, heightPx };
    const fitting = fitFrame(element, { declared, canGrow, onStyle: setStyle });
    const stop = listenToFrame(element, {
      onReady: () => element.contentWindow?.postMessage({ spotHtml: html }, "*"),
      onSize: (size) => fitting.report(size.heightPx),
      onBlocked,
    });
    return () => {
      stop();
      fitting.stop();
    };
    // A new callback must not show the HTML again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [html, origins, canGrow, widthPx, heightPx]);
  return (
    <iframe
      // Like in `ad-creative.tsx`.
      key={origins}
      ref={frame}
      title="HTML preview"
      src={`/spots/preview?origins=${encodeURIComponent(origins)}`}
      sandbox={frameSandbox}
      referrerPolicy="no-referrer"
      scrolling={isBreak ? undefined : "no"}
      className={classNames(isBreak ? "spot-break-html spot-break-frame" : "spot-fill spot-frame")}
      style={isBreak ? undefined : style}
    />
  );
}

const noneBlocked: readonly Blocked[] = [];

/** Milliseconds without input before the preview is refreshed. */
const quietMs = 400;

/** Preview of the ad in each place and on each device, updated while the form is filled in. */
export function AdPreview({
  form,
  onBlocked,
  onAllow,
}: {
  form: AdForm;
  /** Called with the origins that are blocked. */
  onBlocked: (origins: readonly string[]) => void;
  /** Called when the user allows a blocked origin for the ad. */
  onAllow: (origin: string) => void;
}) {
  const quiet = useQuiet(form, quietMs);
  const ad = stagedAd(quiet);
  const [device, setDevice] = useState<PreviewDevice>("desktop");
  const own = adPlacements.find((each) => each === quiet.placement) ?? "header";
  /** Selected placement. It is reset when the placement of the ad changes. */
  const [look, setLook] = useState({ own, placement: own });
  const placement = look.own === own ? look.placement : own;
  const [isPlaying, setPlaying] = useState(false);
  const [blocked, setBlocked] = useState<{ of: string; all: readonly Blocked[] } | null>(null);
  const [failedUrl, setFailedUrl] = useState<string | null>(null);

  const places = [...new Set([placement, ...placementsOf(ad.type)])];
  const isShown = isShownIn(ad.type, placement);
  const version = `${ad.origins} ${ad.html ?? ""}`;
  const noteBlocked = (one: Blocked) =>
    setBlocked((before) => {
      const all = before?.of === version ? before.all : [];
      const isKnown = all.length >= originLimits.ad || all.some((b) => b.origin === one.origin);
      return isKnown ? before : { of: version, all: [...all, one] };
    });
  const size = previewSizes[device];
  const shownBlocked = blocked?.of === version ? blocked.all : noneBlocked;
  useEffect(() => onBlocked(shownBlocked.map(({ origin }) => origin)), [onBlocked, shownBlocked]);

  return (
    <section aria-label="Preview" className="grid min-w-0 gap-3 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <SelectField
          label="Preview in"
          options={places.map((value) => ({ value, label: placementLabels[value] }))}
          value={placement}
          onChange={({ target }) =>
            setLook({ own, placement: places.find((each) => each === target.value) ?? own })
          }
        />
        <fieldset className="flex gap-1">
          <legend className="sr-only">Preview on</legend>
          {previewDevices.map((each) => (
            <label
              key={each}
              className="relative flex h-11 cursor-pointer items-center rounded-md px-3 text-sm font-medium text-ink-11 hover:bg-ink-4 has-checked:bg-lamp-soft has-checked:text-ink-12 has-focus-visible:outline-2"
            >
              <input
                type="radio"
                name="preview-device"
                className="sr-only"
                checked={each === device}
                onChange={() => setDevice(each)}
              />
              {deviceLabels[each]}
            </label>
          ))}
        </fieldset>
        {ad.video?.isFile === true ? (
          <Button aria-pressed={isPlaying} onClick={() => setPlaying(!isPlaying)}>
            Play
          </Button>
        ) : null}
      </div>
      {isShown ? (
        <DeviceFrame
          size={size}
          title={`Preview: ${placementLabels[placement]}, ${deviceLabels[device]}`}
        >
          <PreviewPage
            // The key changes with the page and the size, so that the ad is rendered again.
            key={`${device} ${placement} ${version} ${ad.widthPx} ${ad.heightPx}`}
            ad={ad}
            placement={placement}
          >
            <Creative
              key={`${ad.imageUrl} ${ad.video?.url}`}
              ad={ad}
              placement={placement}
              isPlaying={isPlaying}
              onBlocked={noteBlocked}
              onFailed={setFailedUrl}
            />
          </PreviewPage>
        </DeviceFrame>
      ) : (
        <p className="text-sm">{`${placementLabels[placement]} doesn't show ads of this type. Ad breaks show videos, pages show banners and popups, and the feed shows banners and videos.`}</p>
      )}
      <p className="text-xs text-ink-11">{`Shows the ad as visitors see it, in an outline of a page ${size.widthPx} pixels wide.`}</p>
      {failedUrl !== null && failedUrl === ad.imageUrl ? (
        <p role="status" className="text-sm text-danger-text">
          The image doesn't load. Visitors see the title instead.
        </p>
      ) : null}
      <div role="status">
        <ul className="grid gap-2 empty:hidden">
          {shownBlocked.map(({ kind, origin }) => (
            <li key={origin} className="rounded-md bg-danger-soft px-4 py-3 text-sm">
              <p className="break-words text-danger-text">{messages.blocked[kind](origin)}</p>
              {isListedOrigin(origin) ? (
                <Button className="mt-2" onClick={() => onAllow(origin)}>
                  {`Allow ${origin}`}
                </Button>
              ) : (
                <p className="text-danger-text">You can only allow HTTPS origins.</p>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

interface CreativeProps {
  ad: StagedAd;
  placement: AdPlacement;
  isPlaying: boolean;
  onBlocked: (blocked: Blocked) => void;
  /** Called if the picture fails to load. */
  onFailed: (url: string | null) => void;
}

/** Shows the ad as the placement would on the site. */
function Creative({ ad, placement, isPlaying, onBlocked, onFailed }: CreativeProps) {
  // Videos in the feed play like an ad break.
  const isBreak = isAdBreakPlacement(placement) || (placement === "feed" && ad.type === "video");
  if (isBreak && ad.video !== null) return <BreakVideo {...ad.video} isPlaying={isPlaying} />;
  const isPicture = isBreak && ad.linkUrl !== null && ad.imageUrl !== null;
  if (ad.html !== null && !isPicture) {
    return (
      <HtmlFrame
        ad={ad}
        canGrow={placement !== "header" && placement !== "feed"}
        isBreak={isBreak}
        onBlocked={onBlocked}
      />
    );
  }
  return (
    <div
      inert
      className="contents"
      onLoadCapture={() => onFailed(null)}
      onErrorCapture={() => onFailed(ad.imageUrl)}
    >
      {isBreak ? (
        <BreakCard ad={ad} />
      ) : (
        <AdCreative ad={publicAd(ad)} canGrow={false} onClick={() => {}} />
      )}
    </div>
  );
}

/** Returns the ad without its HTML, for the component that the site uses. */
const publicAd = ({ title, description, imageUrl, linkUrl }: StagedAd): PublicAd => ({
  id: "",
  title,
  description,
  imageUrl,
  linkUrl,
  content: null,
  vastTagUrl: null,
  type: "banner",
  placement: "header",
  trust: "isolated",
  widthPx: null,
  heightPx: null,
  isBumper: false,
});

/** Shows the video paused and muted until the user plays it. */
function BreakVideo({
  url,
  isFile,
  isPlaying,
}: NonNullable<StagedAd["video"]> & { isPlaying: boolean }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (isPlaying) void video.current?.play().catch(() => {});
    else video.current?.pause();
  }, [isPlaying]);
  if (!isFile)
    return (
      <p className="spot-break-failure">
        This ad uses a VAST tag. Test the tag to see which video it plays.
      </p>
    );
  return <video ref={video} src={url} muted playsInline className="spot-break-video" />;
}

function BreakCard({ ad: { title, description, imageUrl } }: { ad: StagedAd }) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <div className="spot-break-card">
      {imageUrl === null || hasFailed ? (
        <div className="spot-break-copy">
          <p className="spot-break-title">{title}</p>
          {description === null ? null : <p className="spot-break-text">{description}</p>}
        </div>
      ) : (
        <img
          src={imageUrl}
          alt={title}
          referrerPolicy="no-referrer"
          className="spot-break-image"
          onError={() => setFailed(true)}
        />
      )}
    </div>
  );
}
