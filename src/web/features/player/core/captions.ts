import type { CaptionTrack, PlayerState } from "./state/player-state.ts";
import type { PreferenceStore } from "./memory/preferences.ts";

interface CaptionOptions {
  commit(patch: Partial<PlayerState>): void;
  preferences: PreferenceStore;
}

export interface Captions {
  /** Follows the text tracks of this element, also those that are added later. */
  attach(media: HTMLVideoElement): void;
  select(id: string | null): void;
}

function isCaption(track: TextTrack): boolean {
  return track.kind === "captions" || track.kind === "subtitles";
}

/** Captions that exist in the file, in the playlist or as tracks of the element. */
export function createCaptions({ commit, preferences }: CaptionOptions): Captions {
  let media: HTMLVideoElement | null = null;
  let life = new AbortController();

  const captionsOf = (target: HTMLVideoElement) =>
    Array.from(target.textTracks, (track, index) => ({ track, id: `${index}` })).filter(
      ({ track }) => isCaption(track),
    );

  function read(): void {
    if (media === null) return;
    const found = captionsOf(media);
    const captions = found.map(({ track, id }): CaptionTrack => ({
      id,
      label: track.label || track.language || `Captions ${Number(id) + 1}`,
      language: track.language,
    }));
    const active = found.find(({ track }) => track.mode === "showing");
    commit({ captions, activeCaption: active?.id ?? null });
  }

  return {
    attach(target) {
      life.abort();
      life = new AbortController();
      media = target;
      const { signal } = life;
      const { textTracks } = target;
      textTracks.addEventListener(
        "addtrack",
        ({ track }) => {
          const { captionLanguage } = preferences.read();
          if (track !== null && isCaption(track) && track.language === captionLanguage) {
            track.mode = "showing";
          }
          read();
        },
        { signal },
      );
      textTracks.addEventListener("removetrack", read, { signal });
      textTracks.addEventListener("change", read, { signal });
      if (textTracks.length > 0) read();
    },
    select(id) {
      if (media === null) return;
      let language: string | null = null;
      for (const { track, id: own } of captionsOf(media)) {
        track.mode = own === id ? "showing" : "disabled";
        if (own === id) language = track.language;
      }
      preferences.write({ captionLanguage: language });
      read();
    },
  };
}
