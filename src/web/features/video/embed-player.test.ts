// @vitest-environment happy-dom
import guide from "../../../../docs/embedding.md?raw";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { readStored, writeStored } from "#web/lib/device-storage.ts";
import { settle } from "#web/features/player/core/fake-media.fixture.ts";
import { chooseOverlay } from "#web/features/player/core/player-state.ts";
import {
  createTestAds,
  emptyPreferences,
  startPlayer,
  videoSource,
} from "#web/features/player/core/player.fixture.ts";
import { embedPlayer, readEmbedOptions } from "./embed-player.ts";

const defaults = {
  startS: 0,
  endS: null,
  autoplay: false,
  isMuted: false,
  loops: false,
  hasControls: true,
  captions: null,
};

test.each([
  ["", {}],
  ["?t=1m20s&end=90", { startS: 80, endS: 90 }],
  ["?autoplay=1&muted=true&loop=1", { autoplay: true, isMuted: true, loops: true }],
  ["?controls=0&captions=pt-BR&related=0", { hasControls: false, captions: "pt-BR" }],
  ["?autoplay=0&muted=false&loop=no&controls=1", {}],
  ["?t=soon&end=-4&autoplay=yes&controls=&captions=%3Cb%3E&muted&loop=2", {}],
  ["?t=60&end=60", { startS: 60 }],
])("reads %s and ignores values that can't be read", (search, expected) => {
  expect(readEmbedOptions(search)).toEqual({ ...defaults, ...expected });
});

test("reads the parameters as docs/embedding.md describes them", () => {
  const rows = guide.matchAll(/^\| `(\w+)` \| `(\?[^`]+)` \|/gm);
  const examples = [...rows].map(([, name = "", search = ""]) => [name, readEmbedOptions(search)]);
  expect(Object.fromEntries(examples)).toEqual({
    t: { ...defaults, startS: 80 },
    end: { ...defaults, endS: 95 },
    autoplay: { ...defaults, autoplay: true },
    muted: { ...defaults, isMuted: true },
    loop: { ...defaults, loops: true },
    controls: { ...defaults, hasControls: false },
    captions: { ...defaults, captions: "de" },
    related: defaults,
  });
  const starts = /^\| `t` \| `[^`]+` \| ([^|]+) \|/m.exec(guide)?.[1] ?? "";
  for (const start of starts.replaceAll("`", "").split(", ")) {
    expect(readEmbedOptions(`?t=${start}`)).toEqual({ ...defaults, startS: 80 });
  }
  const together = /`\/embed\/harbour(\?[^`]+)`/.exec(guide)?.[1] ?? "";
  expect(readEmbedOptions(together)).toEqual({
    ...defaults,
    ...{ startS: 80, endS: 95, isMuted: true, autoplay: true },
  });
});

/** Reports that the embed sent to the server. */
const sent: object[] = [];
beforeEach(() => {
  sent.length = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation((path, init) => {
    const visitor = new Headers(init?.headers).get("x-visitor");
    const { watchTime, origin } = JSON.parse(typeof init?.body === "string" ? init.body : "");
    sent.push({ path, watchTime, origin, visitor, keepalive: init?.keepalive });
    const created = visitor === null ? { visitor: "visitor.signed" } : {};
    return Promise.resolve(Response.json({ counted: true, ...created }, { status: 202 }));
  });
});

/** Plays a video of 600 seconds with these parameters. */
async function play(search: string, options: Parameters<typeof startPlayer>[0] = {}) {
  const build = embedPlayer(readEmbedOptions(search));
  const started = startPlayer(options, undefined, build);
  started.player.load(videoSource);
  await started.media.becomePlayable();
  started.player.play();
  await settle();
  return started;
}

test("pauses at the end of an excerpt once, and plays on if asked to", async () => {
  const { player, media } = await play("?end=90");
  await media.playTo(89);
  expect(media.element.paused).toBe(false);
  await media.playTo(90.2);
  expect(media.element.paused).toBe(true);
  player.play();
  await media.playTo(120);
  expect(media.element.paused).toBe(false);
});

test("repeats an excerpt from its start", async () => {
  const { media } = await play("?t=30&end=90&loop=1");
  await media.playTo(90.2);
  expect(media.element).toMatchObject({ currentTime: 30, paused: false });
});

test("repeats a video from its start", async () => {
  const { player, media } = await play("?t=30&loop=1");
  await media.playToEnd();
  await settle();
  expect(media.element).toMatchObject({ currentTime: 30, paused: false });
  expect(player.store.get().isEnded).toBe(false);
});

test("starts an excerpt at its start, not where the visitor stopped before", async () => {
  const resumePoints = { find: () => 300, save() {}, remove() {}, list: () => [], add() {} };
  const { media } = await play("?t=30&end=90", { resumePoints });
  expect(media.element.currentTime).toBe(30);
  const { media: late, player } = await play("?t=20", { resumePoints });
  expect(late.element.currentTime).toBe(20);
  // That is no position at which the visitor stopped.
  expect(player.store.get().resumedAtS).toBeNull();
  const { media: whole } = await play("", { resumePoints });
  expect(whole.element.currentTime).toBe(300);
});

test("starts by itself if asked to, and waits for a press if the browser refuses", async () => {
  const build = embedPlayer(readEmbedOptions("?autoplay=1"));
  const allowed = startPlayer({}, undefined, build);
  allowed.player.load(videoSource);
  await allowed.media.becomePlayable();
  await settle();
  expect(allowed.media.element.paused).toBe(false);
  const refused = startPlayer({}, undefined, build);
  refused.media.refuseNextPlay("NotAllowedError");
  refused.player.load(videoSource);
  await refused.media.becomePlayable();
  await settle();
  expect(refused.media.element).toMatchObject({ paused: true, muted: false });
  expect(chooseOverlay(refused.player.store.get())).toBe("play");
});

test("starts muted without changing the visitor's saved sound", async () => {
  const save = vi.fn();
  const initial = () => ({ volume: 0.7, isMuted: false, rate: 1 });
  const { player, media } = await play("?muted=1", { settings: { initial, save } });
  expect(media.element).toMatchObject({ muted: true, volume: 0.7 });
  player.setMuted(false);
  player.setRate(2);
  await settle();
  expect(save.mock.calls).toEqual([[{ rate: 2 }]]);
});

describe("watch reports", () => {
  test.each([
    ["stored", window.localStorage],
    ["kept in memory where the browser blocks storage", undefined],
  ])("carry the visitor of the first response, which is %s", async (_name, storage) => {
    vi.stubGlobal("localStorage", storage);
    const beacon = vi.fn(() => true);
    vi.stubGlobal("navigator", { ...navigator, sendBeacon: beacon });
    window.history.replaceState(null, "", "/embed/one");
    onTestFinished(() => {
      vi.unstubAllGlobals();
      writeStored("visitor", null);
      window.history.replaceState(null, "", "/");
    });
    const { media } = await play("");
    await vi.waitFor(() => expect(readStored("visitor")).toBe("visitor.signed"));
    const now = vi.spyOn(performance, "now").mockReturnValue(0);
    await media.playTo(1);
    now.mockReturnValue(4000);
    await media.playTo(5);
    now.mockRestore();
    window.dispatchEvent(new Event("pagehide"));
    await settle();
    const report = { path: "/api/videos/v1/watch", origin: "embed" };
    expect(sent).toEqual([
      { ...report, watchTime: 0, visitor: null, keepalive: false },
      { ...report, watchTime: 4, visitor: "visitor.signed", keepalive: true },
    ]);
    expect(beacon).not.toHaveBeenCalled();
  });

  test("aren't sent from a sandboxed frame, where the server refuses them", async () => {
    vi.stubGlobal("origin", "null");
    await play("");
    vi.unstubAllGlobals();
    expect(sent).toEqual([]);
  });
});

test("shows captions in the language of the address until the visitor chooses another", async () => {
  const captionMemory = emptyPreferences();
  captionMemory.write({ captionLanguage: "en" });
  const { player } = await play("?captions=de", { captionMemory });
  const track = (language: string) => ({ url: `/media/${language}.vtt`, language, name: language });
  player.load({ ...videoSource, captions: [track("en"), track("de")] });
  await vi.waitFor(() => expect(player.store.get().activeCaption).toBe("/media/de.vtt"));
  player.selectCaption("/media/en.vtt");
  await settle();
  expect(player.store.get().activeCaption).toBe("/media/en.vtt");
});

describe("player.js", () => {
  type Sent = { event: string; value?: unknown; listener?: unknown };
  const origin = "https://other.example";

  /** Opens the embed in a page of another site, which can send messages and sees the answers. */
  async function openFramed(search = "", options: Parameters<typeof startPlayer>[0] = {}) {
    const answers: { message: Sent & { context: string }; target: string }[] = [];
    const host = {
      postMessage: (text: string, target: string) =>
        answers.push({ message: JSON.parse(text), target }),
    };
    vi.stubGlobal("parent", host);
    onTestFinished(() => void vi.unstubAllGlobals());
    const started = await play(search, options);
    const send = async (
      method: string,
      value?: unknown,
      given: { from?: string; source?: unknown; listener?: unknown } = {},
    ) => {
      const { from, source, listener } = { from: origin, source: host, listener: "1", ...given };
      const event = new Event("message");
      const data = JSON.stringify({
        context: "player.js",
        version: "0.0.11",
        method,
        value,
        listener,
      });
      Object.assign(event, { source, origin: from, data });
      window.dispatchEvent(event);
      await settle();
    };
    /** Returns what was sent since the last call. */
    const take = () =>
      answers.splice(0).map(({ message: { event, value, listener }, target }) => ({
        event,
        ...(value === undefined ? {} : { value }),
        ...(listener === undefined ? {} : { listener }),
        target,
      }));
    const ask = async (method: string) => {
      await send(method);
      return take()[0]?.value;
    };
    return { ...started, send, take, ask };
  }

  test("announces its methods and events once, to any page", async () => {
    const { take } = await openFramed();
    const sent = take();
    expect(sent).toMatchObject([{ event: "ready", target: "*" }]);
    const methods = ["play", "getDuration", "setLoop", "setCaption", "addEventListener"];
    expect(sent[0]?.value).toMatchObject({
      methods: expect.arrayContaining(methods),
      events: expect.arrayContaining(["timeupdate"]),
    });
  });

  test("plays, seeks and answers to the page that asked", async () => {
    const { media, send, take, ask } = await openFramed();
    take();
    await send("pause");
    expect(media.element.paused).toBe(true);
    expect(await ask("getPaused")).toBe(true);
    await send("play");
    expect(media.element.paused).toBe(false);
    await send("setCurrentTime", 90);
    expect(await ask("getCurrentTime")).toBe(90);
    await send("getDuration", undefined, { listener: "x" });
    expect(take()).toEqual([{ event: "getDuration", value: 600, listener: "x", target: origin }]);
    await send("setVolume", 40);
    expect([await ask("getVolume"), media.element.volume]).toEqual([40, 0.4]);
    await send("mute");
    await send("setVolume", 50);
    expect(await ask("getMuted")).toBe(true);
    await send("setLoop", true);
    expect(await ask("getLoop")).toBe(true);
    await media.playToEnd();
    await settle();
    expect(media.element).toMatchObject({ currentTime: 0, paused: false });
  });

  test("sends events to listeners until they are removed, also to pages without an origin", async () => {
    const { media, send, take } = await openFramed();
    take();
    await send("addEventListener", "pause", { listener: "a", from: "null" });
    await send("addEventListener", "timeupdate", { listener: "b" });
    await media.playTo(12);
    await send("pause");
    expect(take()).toEqual([
      {
        event: "timeupdate",
        value: { seconds: 12, duration: 600 },
        listener: "b",
        target: origin,
      },
      { event: "pause", listener: "a", target: "*" },
    ]);
    await send("removeEventListener", "timeupdate", { listener: "b" });
    await send("addEventListener", "ready", { listener: "late" });
    await media.playTo(13);
    expect(take()).toMatchObject([{ event: "ready", listener: "late", target: origin }]);
  });

  test("exchanges the messages of docs/embedding.md", async () => {
    const { media, player, send, take } = await openFramed();
    const [ready] = take();
    player.pause();
    await settle();
    const lines = /```text\n([^`]+)```/.exec(guide)?.[1]?.split("\n").filter(Boolean) ?? [];
    const said: string[] = [];
    const methods = new Set<string>();
    const events = new Set(["ready"]);
    for (const line of lines.filter((each) => !each.startsWith("<"))) {
      said.push(line);
      if (line.startsWith(">")) {
        const message: { method: string; value?: unknown; listener?: unknown } = JSON.parse(
          line.slice(1),
        );
        methods.add(message.method);
        await send(message.method, message.value, { listener: message.listener });
      } else if (line === "# half of the video is loaded") {
        const buffered = { length: 1, start: () => 0, end: () => 300 };
        Object.defineProperty(media.element, "buffered", { value: buffered });
        await media.fire("progress");
      } else {
        expect(line).toBe("# the video ends");
        await media.playToEnd();
      }
      await settle();
      for (const { target, ...answer } of take()) {
        expect(target).toBe(origin);
        said.push(`< ${JSON.stringify(answer)}`);
        if (!answer.event.startsWith("get")) events.add(answer.event);
      }
    }
    expect(said).toEqual(lines);
    // `rewind` is an example of an unknown method.
    methods.delete("rewind");
    const announced: { methods: string[]; events: string[] } = JSON.parse(
      JSON.stringify(ready?.value),
    );
    expect([...methods].sort()).toEqual(announced.methods.sort());
    expect([...events].sort()).toEqual(announced.events.sort());
  });

  test("ignores other windows, other messages and values out of range", async () => {
    const { media, send, take } = await openFramed();
    take();
    await send("pause", undefined, { source: { postMessage: () => {} } });
    await send("setVolume", 400);
    await send("setVolume", "loud");
    await send("setCurrentTime", -1);
    await send("constructor");
    await send("__proto__");
    for (const data of ["{", "null", '{"method":"pause"}', 4, { context: "player.js" }]) {
      const event = Object.assign(new Event("message"), { source: window.parent, origin, data });
      window.dispatchEvent(event);
    }
    await settle();
    expect(media.element).toMatchObject({ paused: false, volume: 1 });
    expect(take()).toEqual([]);
  });

  test("neither starts nor seeks the video while an ad plays", async () => {
    const ads = createTestAds();
    const { media, send, take, ask } = await openFramed("", { ads: ads.policy });
    expect(ads.played).toEqual(["preroll"]);
    take();
    await send("play");
    await send("setCurrentTime", 300);
    await send("setLoop", true);
    expect(await ask("getPaused")).toBe(true);
    expect(media.element).toMatchObject({ paused: true, currentTime: 0 });
    ads.finish("completed");
    await settle();
    expect(media.element).toMatchObject({ paused: false, currentTime: 0 });
    expect(ads.played).toEqual(["preroll"]);
  });

  test.each([
    ["pt", "/media/pt-BR.vtt"],
    [null, null],
  ])("applies setCaption of %s before the captions have loaded", async (language, expected) => {
    const { player, send } = await openFramed();
    const track = (code: string) => ({ url: `/media/${code}.vtt`, language: code, name: code });
    player.load({
      ...videoSource,
      captions: [{ ...track("en"), isDefault: true }, track("pt-BR")],
    });
    const sending = send("setCaption", language);
    expect(player.store.get().captions).toEqual([]);
    await sending;
    await vi.waitFor(() => expect(player.store.get().captions).toHaveLength(2));
    expect(player.store.get().activeCaption).toBe(expected);
    await send("setCaption", "en");
    expect(player.store.get().activeCaption).toBe("/media/en.vtt");
    await send("setCaption", language);
    expect(player.store.get().activeCaption).toBe(expected);
  });

  test("saves neither the sound nor the captions that the page chose", async () => {
    const save = vi.fn();
    const captionMemory = emptyPreferences();
    const initial = () => ({ volume: 0.7, isMuted: false, rate: 1 });
    const { player, send } = await openFramed("", { settings: { initial, save }, captionMemory });
    player.load({
      ...videoSource,
      captions: [{ url: "/media/de.vtt", language: "de", name: "Deutsch" }],
    });
    await vi.waitFor(() => expect(player.store.get().captions).toHaveLength(1));
    await send("setCaption", "de");
    expect(player.store.get().activeCaption).toBe("/media/de.vtt");
    await send("setCaption", "fr");
    expect(player.store.get().activeCaption).toBe("/media/de.vtt");
    await send("setCaption", null);
    expect(player.store.get().activeCaption).toBeNull();
    save.mockClear();
    await send("mute");
    expect(save).not.toHaveBeenCalled();
    expect(captionMemory.read().captionLanguage).toBeNull();
  });
});
