import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { Thumbnail } from "#web/components/video/thumbnail.tsx";
import { wantsLessData } from "#web/lib/data-saver.ts";
import { isFocusInDialog } from "#web/lib/open-dialog.ts";
import { preferences, prefersReducedMotion } from "../../core/preferences.ts";
import type { NextVideo } from "../../use-video-player.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("upNext");

const waitS = 8;

/** No autoplay for visitors who asked for less motion or less data. */
const allowsCountdown = () =>
  preferences.read().isNextWanted && !prefersReducedMotion() && !wantsLessData();

/** Returns whether a form is in use or contains text that wasn't sent, such as a comment. */
const isWriting = () =>
  isFocusInDialog() ||
  document.activeElement?.closest("form") != null ||
  [...document.querySelectorAll("textarea")].some(({ value }) => value !== "");

/**
 * Shown after the end. Offers the next video with a countdown that can be cancelled, and Watch
 * again.
 */
export function NextOverlay({ next }: { next: NextVideo }) {
  // Several removed videos of a playlist may follow each other.
  return <NextCountdown key={next.href} next={next} />;
}

function NextCountdown({ next }: { next: NextVideo }) {
  const navigate = useNavigate();
  const [leftS, setLeftS] = useState(() => (allowsCountdown() ? waitS : null));
  const play = useRef<HTMLAnchorElement>(null);

  useEffect(() => {
    if (leftS === null) return;
    if (leftS === 0) {
      void navigate(next.href);
      return;
    }
    // The countdown starts over on a hidden page and while the visitor writes.
    const timer = setInterval(() => {
      const isFree = document.visibilityState === "visible" && !isWriting();
      setLeftS(isFree ? leftS - 1 : waitS);
    }, 1000);
    return () => clearInterval(timer);
  }, [leftS, navigate, next.href]);

  useEffect(() => {
    if (document.activeElement === document.body) play.current?.focus({ preventScroll: true });
  }, []);

  if (leftS === null) return null;
  return (
    <section className="player-next" aria-label={messages.title}>
      <p className="player-next-lead" aria-hidden="true">
        {messages.countdown(leftS)}
      </p>
      {/* Announced once, and not each second. */}
      <p className="sr-only" role="status">
        {messages.countdown(waitS)}
      </p>
      <div className="player-next-card">
        <span className="player-next-picture">
          <Thumbnail src={next.thumbnail} />
        </span>
        <bdi className="player-next-title title-lines">{next.title}</bdi>
      </div>
      <div className="player-next-buttons">
        <button type="button" className="player-pill" onClick={() => setLeftS(null)}>
          {messages.cancel}
        </button>
        <a ref={play} href={pagePath(next.href)} className="player-pill player-next-play">
          {messages.play}
        </a>
      </div>
    </section>
  );
}
