import { trackInLanguage } from "#contract/site/languages.ts";
import type { CaptionTrack } from "#contract/videos/captions.ts";
import { pageLanguage } from "#web/lib/language/page-language.ts";
import { captionsOff, type PreferenceStore } from "./preferences.ts";
import type { PlayerState } from "./player-state.ts";

interface CaptionOptions {
  commit(patch: Partial<PlayerState>): void;
  preferences: PreferenceStore;
}

interface OwnTrack {
  source: CaptionTrack;
  element: HTMLTrackElement;
}

/**
 * Creates the captions. The browser loads and times the lines of a track. The player shows them
 * itself, so that no control covers them.
 */
export function createCaptions({ commit, preferences }: CaptionOptions) {
  let ownTracks: OwnTrack[] = [];
  let tracks: readonly CaptionTrack[] = [];
  let active: CaptionTrack | null = null;
  /** Choice of the track shown last. Empty if there was none. */
  let latest = "";
  let isNative = false;
  let life = new AbortController();

  const choose = () => {
    const choice = preferences.read().captionLanguage;
    const chosen = chooseCaption(tracks, choice);
    latest = choiceOf(chosen) || latest || shownChoice(choice);
    return chosen;
  };

  // With a prefix, the page isn't in the site's language, because the visitor or the browser
  // chose another.
  const languages = () => {
    const { code, prefix } = pageLanguage();
    return [latest, prefix === "" ? "" : code, ...navigator.languages];
  };

  /** Returns the forced track to show while captions are off, if possible in the sound's language. */
  function chooseForced(): CaptionTrack | null {
    const forced = tracks.filter(({ isForced }) => isForced === true);
    const [sound = ""] = preferences.read().sound?.split(" ") ?? [];
    return findTrack(forced, [sound, ...languages()]) ?? forced[0] ?? null;
  }

  function apply(): void {
    const visible = active ?? chooseForced();
    for (const { source, element } of ownTracks) {
      element.track.mode = source !== visible ? "disabled" : isNative ? "showing" : "hidden";
    }
    commit({
      captions: tracks
        .filter(({ isForced }) => isForced !== true)
        .map(({ url, name, language }) => ({ id: url, label: name, language })),
      activeCaption: active?.url ?? null,
      cues: { language: visible?.language ?? "", lines: linesOf(visible) },
    });
  }

  function show(source: CaptionTrack | null): void {
    active = source;
    latest = choiceOf(source) || latest;
    preferences.write({ captionLanguage: source === null ? captionsOff + latest : latest });
    apply();
  }

  function linesOf(visible: CaptionTrack | null): VTTCue[] {
    const track = ownTracks.find(({ source }) => source === visible)?.element.track;
    if (track === undefined || isNative) return [];
    return Array.from(track.activeCues ?? []).filter((cue) => cue instanceof VTTCue);
  }

  return {
    /** Replaces the element's tracks with these. */
    attach(media: HTMLVideoElement, sources: readonly CaptionTrack[]): void {
      life.abort();
      life = new AbortController();
      const { signal } = life;
      for (const { element } of ownTracks) element.remove();
      if (sources !== tracks) {
        tracks = sources;
        active = choose();
      }
      // In a sandboxed frame, which has no origin, all files come from elsewhere.
      if (window.origin === "null") media.crossOrigin = "anonymous";
      ownTracks = sources.map((source) => {
        const element = document.createElement("track");
        element.kind = "subtitles";
        element.label = source.name;
        element.srclang = source.language;
        element.src = source.url;
        element.track.addEventListener("cuechange", apply, { signal });
        return { source, element };
      });
      media.append(...ownTracks.map(({ element }) => element));
      const isOwn = (track: TextTrack) => ownTracks.some(({ element }) => element.track === track);
      // Safari reads the same captions from the playlist.
      media.textTracks.addEventListener(
        "addtrack",
        ({ track }) => {
          if (track !== null && track.kind !== "metadata" && !isOwn(track)) track.mode = "disabled";
        },
        { signal },
      );
      // Another player may have changed the choice.
      media.addEventListener(
        "play",
        () => {
          const chosen = choose();
          // Several tracks may have the same language and name.
          if (choiceOf(chosen) !== choiceOf(active)) active = chosen;
          apply();
        },
        { signal },
      );
      // Full screen on iPhones and Safari's picture-in-picture don't show elements of the page.
      const followMode = () => {
        isNative = "webkitPresentationMode" in media && media.webkitPresentationMode !== "inline";
        apply();
      };
      media.addEventListener("webkitpresentationmodechanged", followMode, { signal });
      followMode();
    },

    select: (id: string | null): void => show(tracks.find((source) => source.url === id) ?? null),
    /** Turns captions off, or turns them on in the best language. */
    toggle(): void {
      show(active === null ? offerCaption(tracks, languages()) : null);
    },
    /** Stops following the element, which another player may use next. */
    dispose: () => life.abort(),
  };
}

export type Captions = ReturnType<typeof createCaptions>;

/** Returns a track for storage: its language and its name. Empty for none. */
const choiceOf = (track: CaptionTrack | null): string =>
  track === null ? "" : `${track.language} ${track.name}`;

/** Returns a choice as it was before captions were turned off. Empty if there was none. */
const shownChoice = (choice: string | null): string => choice?.replace(/^-/, "") ?? "";

/** Returns the track of a choice, or else another one in its language. */
const chosenTrack = (tracks: readonly CaptionTrack[], choice: string): CaptionTrack | undefined =>
  tracks.find((track) => choiceOf(track) === choice) ??
  trackInLanguage(tracks, choice.split(" ")[0] ?? "");

/** Returns the visitor's choice, or else the operator's default. Null if no track is shown. */
export function chooseCaption(
  tracks: readonly CaptionTrack[],
  choice: string | null,
): CaptionTrack | null {
  // Kinora 0.2 stored an empty language if captions were turned off before one was chosen.
  if (choice === "" || choice?.startsWith(captionsOff) === true) return null;
  const selectable = tracks.filter(({ isForced }) => isForced !== true);
  const chosen = choice === null ? undefined : chosenTrack(selectable, choice);
  return chosen ?? selectable.find(({ isDefault }) => isDefault === true) ?? null;
}

/**
 * Returns the track to show when captions are turned on: one in a language of the visitor or the
 * browser, or else the first.
 */
export function offerCaption(
  tracks: readonly CaptionTrack[],
  languages: readonly string[],
): CaptionTrack | null {
  const selectable = tracks.filter(({ isForced }) => isForced !== true);
  return (
    findTrack(selectable, languages) ??
    selectable.find(({ isDefault }) => isDefault === true) ??
    selectable[0] ??
    null
  );
}

/** Returns a track for the first of these languages or choices that has one. */
function findTrack(
  tracks: readonly CaptionTrack[],
  choices: readonly string[],
): CaptionTrack | undefined {
  for (const choice of choices) {
    const match = chosenTrack(tracks, choice);
    if (match !== undefined) return match;
  }
  return undefined;
}
