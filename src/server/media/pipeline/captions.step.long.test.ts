import { chmod, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeClip, keepBytes } from "#test/clip-cache.ts";
import { aac, h264, picture, sampleVideos, tone } from "#test/sample-videos.ts";
import { createTestMedia, type TestMedia } from "../media.fixture.ts";
import { scanSource } from "./process-video.ts";
import { readTextTracks, type CaptionsOutput } from "./captions.step.ts";

let at: TestMedia;
beforeAll(async () => {
  at = await createTestMedia();
});
afterAll(() => at.remove());

let runs = 0;
async function read(sourcePath: string): Promise<CaptionsOutput & { facts: string[] }> {
  runs += 1;
  const facts = await at.media.probe(sourcePath);
  const workDir = path.join(at.folder, `texts-${runs}`);
  const source = await scanSource(at.media.pipeline, { sourcePath, facts, workDir });
  return { ...(await readTextTracks(at.media.pipeline, source)), facts: facts.notices };
}

const english = () =>
  keepBytes(
    "texts.srt",
    Buffer.from(
      "1\n00:00:01,000 --> 00:00:02,000\nbefore\n\n2\n00:00:02,500 --> 00:00:04,000\nacross\n\n" +
        "3\n00:00:04,500 --> 00:00:05,000\n<font onload=x()>{\\an8}<i>above</i> & 1 < 2\n",
    ),
  );
const german = () =>
  keepBytes("german.srt", Buffer.from("1\n00:00:02,000 --> 00:00:03,000\nשלום Grüße\n"));

const withTexts = async (name: string, codecs: [string, string], more: string[] = []) =>
  encodeClip(name, [
    ...[...picture("320x180", 6), ...tone(6), "-i", await english(), "-i", await german()],
    ...["-map", "0", "-map", "1", "-map", "2", "-map", "3", ...h264, "-g", "25", ...aac],
    ...["-c:s:0", codecs[0], "-c:s:1", codecs[1], "-metadata:s:s:0", "language=eng"],
    ...["-metadata:s:s:1", "language=ger", "-disposition:s:1", "forced", ...more],
  ]);

const above = { text: "<i>above</i> & 1 < 2", place: "line:0" };

test("reads text tracks of a Matroska file as lines in sync with the picture", async () => {
  const { tracks, notices, facts } = await read(
    await withTexts("texts.mkv", ["ass", "subrip"], ["-output_ts_offset", "0.8"]),
  );
  expect([notices, facts]).toEqual([[], []]);
  expect(tracks).toMatchObject([
    {
      codec: "ass",
      language: "eng",
      isForced: false,
      lines: [{ text: "before" }, { text: "across" }, above],
    },
    { codec: "subrip", language: "ger", isForced: true, lines: [{ text: "שלום Grüße" }] },
  ]);
  // A frame of AAC comes before the picture.
  const starts = tracks[0]?.lines.map(({ startMs }) => startMs) ?? [];
  for (const [i, expected] of [1000, 2500, 4500].entries()) {
    expect(Math.abs((starts[i] ?? 0) - expected)).toBeLessThanOrEqual(30);
  }
});

test("leaves out a track with the positions of a drone", async () => {
  const flight = await keepBytes(
    "flight.srt",
    Buffer.from(
      '1\n00:00:00,000 --> 00:00:00,900\n<font size="28">FrameCnt: 1, DiffTime: 33ms\n' +
        "2026-01-01 12:00:00.123\n[iso: 100] [latitude: 50.123456] [longitude: 10.123456]</font>\n\n" +
        "2\n00:00:01,000 --> 00:00:01,900\nGPS (10.1234, 50.1234, 15), D 224.21m, H 53.20m\n",
    ),
  );
  const source = await encodeClip("flight.mp4", [
    ...[...picture("160x90", 4), "-i", flight, "-i", await german(), "-map", "0", "-map", "1"],
    ...["-map", "2", ...h264, "-c:s", "mov_text", "-metadata:s:s:1", "language=ger"],
  ]);
  const { tracks, notices } = await read(source);
  expect(tracks.map(({ language }) => language)).toEqual(["ger"]);
  expect(notices).toEqual([
    "A subtitle track contains camera data, such as GPS positions, and isn't shown.",
  ]);
});

test("drops ASS drawings and decodes lines in an old encoding completely", async () => {
  const drawn = await keepBytes(
    "drawn.ass",
    Buffer.from(
      "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Alignment\nStyle: Default,2\n\n" +
        "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n" +
        "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}\n" +
        "Dialogue: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,{\\an8}One\\Ntwo\n",
    ),
  );
  const utf8 = Buffer.from("Grüße aus Köln");
  const former = Buffer.concat([Buffer.from("Grüße aus Köln", "latin1"), Buffer.from("!!!")]);
  const lines = await keepBytes(
    "greetings.srt",
    Buffer.concat([Buffer.from("1\n00:00:01,000 --> 00:00:02,000\n"), utf8]),
  );
  const source = await encodeClip("drawn.mkv", [
    ...[...picture("160x90", 4), "-i", drawn, "-i", lines, "-map", "0", "-map", "1", "-map", "2"],
    ...[...h264, "-c:s:0", "ass", "-c:s:1", "srt", "-metadata:s:s:1", "language=ger"],
  ]);
  const bytes = await readFile(source);
  former.copy(bytes, bytes.indexOf(utf8));
  const file = path.join(at.folder, "former.mkv");
  await writeFile(file, bytes);

  const { tracks, notices } = await read(file);
  expect(notices).toEqual([]);
  expect(tracks.map((track) => track.lines.map(({ text, place }) => [text, place]))).toEqual([
    [["One\ntwo", "line:0"]],
    [["Grüße aus Köln!!!", ""]],
  ]);
});

test("shifts the lines of a trimmed MP4 by its edit list", async () => {
  const whole = await withTexts("texts.mp4", ["mov_text", "mov_text"]);
  const trimmed = await encodeClip("texts-trimmed.mp4", [
    ...["-ss", "3.3", "-i", whole, "-map", "0", "-c", "copy"],
  ]);
  const [first] = (await read(trimmed)).tracks;
  expect(first?.lines.map(({ text }) => text)).toEqual(["across", above.text]);
  expect(first?.lines[0]).toMatchObject({ startMs: 0, endMs: 700 });
  expect(first?.lines[1]?.startMs).toBe(1200);
  expect((await read(whole)).tracks[0]?.lines[1]).toMatchObject({ startMs: 2500, endMs: 4000 });
});

test("runs no tool for a video without text tracks", async () => {
  expect(await read(await sampleVideos.plain.make())).toMatchObject({ tracks: [], notices: [] });
});

test("counts a file's chapters from its start and gives unnamed ones a name", async () => {
  const at2s = (title: string, start: number) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${start + 500}\n${title}\n`;
  const meta = `;FFMETADATA1\n${at2s("title=One", 0)}${at2s("", 600)}`;
  const chapters = await keepBytes("chapters.txt", Buffer.from(meta));
  const source = await encodeClip("chapters.mkv", [
    ...["-i", await sampleVideos.plain.make(), "-i", chapters, "-map", "0", "-map_chapters", "1"],
    ...["-c", "copy"],
  ]);
  expect((await at.media.probe(source)).chapters).toEqual([
    { startS: 0, title: "One" },
    { startS: 0.6, title: "Chapter 2" },
  ]);
});

/** Creates a program that accepts the same arguments as whisper.cpp. */
async function makeCommand(name: string, script: string): Promise<string> {
  const file = path.join(at.folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return `/bin/sh ${file}`;
}

async function transcribe(command: string) {
  runs += 1;
  const sourcePath = await sampleVideos.plain.make();
  const facts = await at.media.probe(sourcePath);
  const workDir = path.join(at.folder, `speech-${runs}`);
  return at.media.transcribe({ sourcePath, facts, workDir, command, language: "de" });
}

test("passes audio to a command and reads its captions from a file", async () => {
  const command = await makeCommand(
    "recognise.sh",
    'head -c 4 "$1" | grep -q RIFF || exit 3\n' +
      'size=$(wc -c < "$1")\n' +
      'printf "WEBVTT\\n\\n00:00.000 --> 00:01.000\\n$3 $size\\n" > "$2.vtt"',
  );
  const [line] = await transcribe(`${command} {audio} {output} "{language}"`);
  // A second of 16 kHz, 16 bit, mono audio.
  expect(line?.text).toMatch(/^de 32\d{3}$/);
});

test("reads captions from a command's standard output", async () => {
  const command = await makeCommand(
    "speak.sh",
    'test -r "$1" && printf "1\\n00:00:00,000 --> 00:00:01,000\\nhello\\n"',
  );
  expect(await transcribe(`${command} {audio}`)).toMatchObject([{ text: "hello" }]);
});

test.each([
  ["a header in a file", `printf '\\357\\273\\277WEBVTT\\nKind: captions\\n' > "$1.vtt"`],
  ["an empty file", `: > "$1.srt"`],
  ["a header on standard output", `printf "WEBVTT\\n\\n"`],
])("returns no lines if the command writes only %s", async (name, script) => {
  const command = await makeCommand(`${name.replaceAll(" ", "-")}.sh`, script);
  expect(await transcribe(`${command} {output}`)).toEqual([]);
});

test("fails if the command fails or returns no captions", async () => {
  const failing = await makeCommand("fail.sh", "echo 'no model' >&2; exit 2");
  await expect(transcribe(`${failing} {audio}`)).rejects.toThrow("no model");
  const silent = await makeCommand("silent.sh", "exit 0");
  await expect(transcribe(`${silent} {audio}`)).rejects.toThrow("SRT, WebVTT or ASS");
});
