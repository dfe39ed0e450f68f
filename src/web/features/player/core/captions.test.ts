// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import type { CaptionTrack } from "#contract/videos/captions.ts";
import { chooseCaption, createCaptions, offerCaption } from "./captions.ts";
import { createFakeMedia } from "./fake-media.fixture.ts";
import { emptyPreferences } from "./player.fixture.ts";
import { captionsOff } from "./preferences.ts";
import type { PlayerState } from "./player-state.ts";

const track = (language: string, flags: Partial<CaptionTrack> = {}): CaptionTrack => ({
  name: language,
  url: `/${language}.vtt`,
  language,
  ...flags,
});
const tracks = [
  track("fr", { isForced: true }),
  track("en", { isDefault: true }),
  track("pt-BR"),
  track("de"),
];

test.each([
  ["the operator's default without a choice", null, "en"],
  ["nothing where captions are turned off", captionsOff, null],
  ["nothing where captions in a language are turned off", `${captionsOff}de`, null],
  ["nothing where they were turned off before the language was kept", "", null],
  ["the chosen language", "de", "de"],
  ["another form of the chosen language", "pt", "pt-BR"],
  ["the chosen language where the chosen name is missing", "de Deutsch (SDH)", "de"],
  ["the default where the chosen language is missing", "ja", "en"],
  ["no forced track", "fr", "en"],
])("shows %s", (_, chosen, expected) => {
  expect(chooseCaption(tracks, chosen)?.language ?? null).toBe(expected);
});

test("shows nothing until the visitor chooses if there is no default", () => {
  expect(chooseCaption([track("en")], null)).toBeNull();
});

test.each([
  ["the first known language of the browser", ["ja", "pt-PT", "de"], "pt-BR"],
  ["the default", ["ja"], "en"],
])("offers %s when captions are turned on", (_, languages, expected) => {
  expect(offerCaption(tracks, languages)?.language).toBe(expected);
});

test("offers nothing for a video with only a forced track", () => {
  expect(offerCaption([track("fr", { isForced: true })], ["fr"])).toBeNull();
});

/** Creates captions in a browser with text tracks, and returns what they commit. */
function startCaptions() {
  // happy-dom creates another track on every read, and its tracks can't be hidden.
  const textTrack = Object.assign(new EventTarget(), { mode: "disabled", activeCues: null });
  vi.spyOn(HTMLTrackElement.prototype, "track", "get").mockReturnValue(textTrack as never);
  const state: Partial<PlayerState> = {};
  const preferences = emptyPreferences();
  const media = createFakeMedia();
  const commit = (patch: Partial<PlayerState>) => void Object.assign(state, patch);
  const captions = createCaptions({ commit, preferences });
  return { captions, media, preferences, state, textTrack };
}

test.each([
  ["the language of the chosen sound", { sound: "de description" }, "de"],
  [
    "the language that captions were last shown in",
    { captionLanguage: `${captionsOff}pt` },
    "pt-BR",
  ],
  ["the browser's language", {}, "en-US"],
])("shows the forced track in %s", (_, saved, expected) => {
  const { captions, media, preferences, state } = startCaptions();
  preferences.write(saved);
  const forced = ["fr", "de", "pt-BR", "en-US"].map((code) => track(code, { isForced: true }));
  captions.attach(media.element, forced);
  expect(state).toMatchObject({ activeCaption: null, cues: { language: expected } });
});

test("shows the first forced track if none is in a language of the visitor", () => {
  const { captions, media, state } = startCaptions();
  const forced = ["fr", "ja"].map((code) => track(code, { isForced: true }));
  captions.attach(media.element, forced);
  expect(state.cues?.language).toBe("fr");
});

test("stays with the chosen one of two tracks in a language when playback goes on", async () => {
  const { captions, media, preferences, state } = startCaptions();
  const described = track("en", { name: "English (SDH)", url: "/sdh.vtt" });
  captions.attach(media.element, [track("en"), described, track("de")]);
  captions.select(described.url);
  await media.fire("play");
  expect(state.activeCaption).toBe(described.url);
  // The next video also has this track.
  captions.attach(media.element, [track("en"), { ...described }]);
  expect(state.activeCaption).toBe(described.url);
  captions.toggle();
  captions.attach(media.element, [track("en"), { ...described }, track("de")]);
  expect(state.activeCaption).toBeNull();
  captions.toggle();
  expect(state.activeCaption).toBe(described.url);
  // Another player may have changed the choice. Earlier versions stored only the language.
  preferences.write({ captionLanguage: "de" });
  await media.fire("play");
  expect(state.activeCaption).toBe("/de.vtt");
});

test("leaves the element's tracks to its next player", () => {
  const { captions, media } = startCaptions();
  const added = (mode: string) => {
    const track = { kind: "subtitles", mode };
    const event = Object.assign(new Event("addtrack"), { track });
    media.element.textTracks.dispatchEvent(event);
    return track.mode;
  };
  captions.attach(media.element, [track("en")]);
  expect(added("hidden")).toBe("disabled");
  captions.dispose();
  expect(added("hidden")).toBe("hidden");
});

test.each(["picture-in-picture", "fullscreen"])(
  "lets Safari show the captions of a video in %s",
  async (mode) => {
    const { captions, media, textTrack } = startCaptions();
    captions.attach(media.element, [track("en", { isDefault: true })]);
    const change = (webkitPresentationMode: string) => {
      Object.assign(media.element, { webkitPresentationMode });
      return media.fire("webkitpresentationmodechanged");
    };
    await change(mode);
    expect(textTrack.mode).toBe("showing");
    await change("inline");
    expect(textTrack.mode).toBe("hidden");
  },
);
