import { describe, expect, test } from "vitest";
import { captionLimits, type CaptionLine } from "#contract/videos/captions.ts";
import { cleanFileText, cleanText, plainText, toVttText } from "./caption-text.ts";
import { readAss } from "./ass.ts";
import { collectLines } from "./line-collector.ts";
import { isCameraData, readCaptions, shiftLines } from "./read-captions.ts";
import { readSrt } from "./srt.ts";
import { cleanPlace, readWebVtt, writeWebVtt } from "./webvtt.ts";

const read = (text: string) => readCaptions(Buffer.from(text)).lines;
const line = (startMs: number, endMs: number, text: string, place = ""): CaptionLine => ({
  startMs,
  endMs,
  text,
  place,
});

describe("SubRip", () => {
  test("preserves times, text, italics and positions", () => {
    const text =
      "\ufeff1\r\n00:00:01,500 --> 00:00:03,000\r\nOne\r\n<i>two</i>\r\n\r\n2\r\n" +
      "1:00:04,5 --> 1:00:05,000 X1:40 X2:600\r\n{\\an8}Above\r\n";
    expect(read(text)).toEqual([
      line(1500, 3000, "One\n<i>two</i>"),
      line(3_604_500, 3_605_000, "Above", "line:0"),
    ]);
  });

  test("reads blocks without empty lines between them", () => {
    expect(read("1\n00:01,0 --> 00:02,0\nA\n2\n00:03,0 --> 00:04,0\nB")).toEqual([
      line(1000, 2000, "A"),
      line(3000, 4000, "B"),
    ]);
  });

  test("leaves out lines with broken times or without text, and sorts the others", () => {
    const text = [
      ...["9\n00:00:09,000 --> 00:00:10,000\nlater\n", "1\nab:cd --> 00:00:03,000\nno time\n"],
      ...["2\n00:00:05,000 --> 00:00:04,000\nbackwards\n", "3\n00:00:06,000 --> 00:00:07,000\n \n"],
      ...[
        "4\n9999:00:00,000 --> 9999:00:01,000\ntoo late\n",
        "5\n00:00:01,000 --> 00:00:02,000\nearly",
      ],
    ];
    expect(read(text.join("\n")).map((each) => each.text)).toEqual(["early", "later"]);
  });

  test("detects UTF-16 and Windows-1252", () => {
    const text = "1\n00:00:01,000 --> 00:00:02,000\nCafé";
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
    for (const bytes of [utf16, utf16.subarray(2), Buffer.from(text, "latin1")]) {
      expect(readCaptions(bytes).lines[0]?.text).toBe("Café");
    }
    const bigEndian = Buffer.from(utf16).swap16();
    for (const bytes of [bigEndian, bigEndian.subarray(2)]) {
      expect(readCaptions(bytes).lines[0]?.text).toBe("Café");
    }
  });

  test.each([
    ["ru", "cff0e8e2e5f2", "Привет"],
    ["rus", "cff0e8e2e5f2", "Привет"],
    ["pl-PL", "bff3b3e6", "żółć"],
    ["ja", "93fa967b", "日本"],
    ["zh", "c4e3bac3", "你好"],
    ["zh-TW", "a741a66e", "你好"],
    ["fr", "e9", "é"],
    ["qq-nothing-known", "e9", "é"],
    [null, "e9", "é"],
  ])("reads %s in the language's legacy encoding", (language, hex, text) => {
    const times = Buffer.from("1\n00:00:01,000 --> 00:00:02,000\n");
    const bytes = Buffer.concat([times, Buffer.from(hex, "hex")]);
    expect(readCaptions(bytes, language).lines[0]?.text).toBe(text);
    const utf8 = Buffer.concat([times, Buffer.from(text)]);
    expect(readCaptions(utf8, language).lines[0]?.text).toBe(text);
  });
});

describe("files that other programs damaged", () => {
  const texts = (file: string) => read(file).map((each) => each.text);

  test("reads line ends that were converted twice, and empty rows below each row", () => {
    const file =
      "1\n00:00:01,000 --> 00:00:02,000\nOne\nrow\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n";
    expect(texts(file.replaceAll("\n", "\r\r\n"))).toEqual(["One\nrow", "Two"]);
    expect(texts(file.replaceAll("\n", "\n\n"))).toEqual(["One\nrow", "Two"]);
  });

  test.each([
    ["a short arrow", "1", "00:00:12,083 -> 00:00:14,000"],
    ["a divided arrow", "1", "00:00:12,083 -- > 00:00:14,000"],
    ["spaces after colons", "1", "00: 00: 12,083 --> 00: 00: 14,000"],
    ["spaces on both sides", "1", "00 : 00 : 12 , 083 -> 00 : 00 : 14 , 000"],
    ["full-width separators", "1", "00：00：12，083 --> 00：00：14，000"],
    ["marks of the direction", "\u200f1", "\u200f00:00:12,083 --> \u200f00:00:14,000"],
    ["embedded directions", "\u202b1\u202c", "\u202b00:00:12,083 --> 00:00:14,000\u202c"],
    ["isolates", "\u20671\u2069", "\u206700:00:12,083\u2069 --> \u206700:00:14,000\u2069"],
  ])("reads numbers and times with %s", (_, number, times) => {
    const block = (text: string) => `${number}\n${times}\n${text}\n`;
    expect(read(block("1 -> 2") + block("B"))).toEqual([
      line(12_083, 14_000, "1 -> 2"),
      line(12_083, 14_000, "B"),
    ]);
  });

  test("keeps text below an empty row, text with an arrow, and text that is a number", () => {
    expect(
      texts(
        "1\n00:01,0 --> 00:02,0\nfirst\n\nsecond\nthird\n\n" +
          "2\n00:03,0 --> 00:04,0\nA --> B\nC --> D\n\n3\n00:05,0 --> 00:06,0\n42\n\n" +
          "4\n00:07,0 --> 00:08,0\nend",
      ),
    ).toEqual(["first\nsecond\nthird", "A --> B\nC --> D", "42", "end"]);
    expect(
      texts(
        "WEBVTT\n\nname\n00:01.000 --> 00:02.000\nfirst\n\nsecond\n\nNOTE not\nthis\n\n" +
          "other name\n00:03.000 --> 00:04.000\nA --> B",
      ),
    ).toEqual(["first\nsecond", "A --> B"]);
  });

  test("reads written lines back unchanged, with a number as their last row", () => {
    const lines = [
      line(1000, 2000, "The bus\nnumber is\n42"),
      line(3000, 4000, "It leaves\nat\nhalf past\n5"),
      line(5000, 6000, "end"),
    ];
    expect(read(writeWebVtt(lines))).toEqual(lines);
  });

  test("counts the lines that can't be read, by their row", () => {
    const file =
      "1\nab:cd --> 00:00:03,000\nno time\n\n2\n00:00:05,000 --> 00:00:04,000\nbackwards\n\n" +
      "3\n00:00:06,000 --> 00:00:07,000\nread\n4\n00:00:xx --> 00:00:08,000\nno time\n";
    const { lines, missedRows } = readCaptions(Buffer.from(file));
    expect(lines.map((each) => each.text)).toEqual(["read"]);
    expect(missedRows).toEqual([2, 6, 13]);
  });

  test("reads UTF-8 with a few invalid bytes as UTF-8 and counts them", () => {
    const text = "1\n00:00:01,000 --> 00:00:02,000\nCafé „schön“ \u0001 naïve";
    const bytes = Buffer.from(text).map((byte) => (byte === 1 ? 0xa9 : byte));
    const { lines, replacedCharacters } = readCaptions(bytes, "de");
    expect(lines[0]?.text).toBe("Café „schön“ \ufffd naïve");
    expect(replacedCharacters).toBe(1);
  });

  test.each(["WEBVTT\n\n00:01.000", "1\n00:00:01,000"])("decodes character references", (start) => {
    const cue =
      "It&#39;s Tom&apos;s &amp; J&#x2019;s 5 &lt; 6 &hellip; caf&eacute; &unknown; &#xD800;";
    expect(texts(`${start} --> 00:09.000\n${cue}`)).toEqual([
      "It's Tom's & J’s 5 < 6 … café &unknown; \ufffd",
    ]);
  });
});

describe("WebVTT", () => {
  test("keeps positions, decodes characters, and drops notes, styles and regions", () => {
    const text =
      "WEBVTT - a title\n\nSTYLE\n::cue { background: url(//x) }\n\nREGION\nid:r\n\nNOTE no\n\n" +
      "intro\n00:01.000 --> 00:02.000 line:10% region:r align:start evil:1\n<v Ada>Tom &amp; <c.red>Ada</c>\n";
    expect(read(text)).toEqual([line(1000, 2000, "Tom & Ada", "line:10% align:start")]);
  });

  test("reads its own output as the same lines", () => {
    const lines = [
      line(0, 900, "5 < 6 & 7 > 3"),
      line(1000, 3_723_004, "<b>bold <i>both</i></b>\nsecond", "line:0 align:end"),
      line(4_000_000, 4_001_000, "Use the <div> tag and <i>List<String></i>, press <3>"),
      line(4_001_000, 4_002_000, "<div>"),
    ];
    expect(read(writeWebVtt(lines))).toEqual(lines);
  });

  test("keeps escaped tags and unknown ones as text, and drops those of caption formats", () => {
    const cue = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`;
    const textOf = (text: string) => read(cue(text))[0]?.text;
    expect(textOf("Use the &lt;div&gt; tag and List&lt;String&gt;")).toBe(
      "Use the <div> tag and List<String>",
    );
    expect(textOf("&lt;c&gt;")).toBe("<c>");
    expect(textOf("Map<Key, Value> or <T>")).toBe("Map<Key, Value> or <T>");
    expect(textOf('<font color="red">A</font><br/> <lang en>B</lang> <B class=x>C</B>')).toBe(
      "A B <b>C</b>",
    );
  });
});

describe("captions that roll", () => {
  const cue = (from: string, to: string, ...rows: string[]) =>
    `00:00:${from} --> 00:00:${to} align:start position:0%\n${rows.join("\n")}\n\n`;

  test("keep each row once, from its first time", () => {
    const text = [
      ...["WEBVTT\nKind: captions\nLanguage: en\n\n"],
      cue("00.160", "02.470", " ", "so<00:00:00.480><c> here</c><00:00:01.000><c> we</c>"),
      cue("02.470", "02.480", "so here we", " "),
      cue("02.480", "05.000", "so here we", "go<00:00:03.000><c> again</c>"),
      cue("05.000", "05.010", "go again", " "),
      cue("05.010", "07.000", "go again", "go<00:00:06.000><c> again</c>"),
      cue("07.000", "07.010", "go again", " "),
      cue("07.010", "08.000", "go again", "the<00:00:07.500><c> end</c>"),
      cue("08.000", "09.000", "the end", " "),
      cue("12.000", "13.000", "the end", " "),
    ].join("");
    const place = "align:start position:0%";
    expect(read(text)).toEqual([
      line(160, 2480, "so here we", place),
      line(2480, 5010, "go again", place),
      line(5010, 7010, "go again", place),
      line(7010, 9000, "the end", place),
      line(12_000, 13_000, "the end", place),
    ]);
  });

  test("keep each row once if three rows are shown", () => {
    const text =
      "1\n00:01,0 --> 00:02,0\na\n\n2\n00:02,0 --> 00:03,0\na\nb\n\n" +
      "3\n00:03,0 --> 00:04,0\na\nb\nc\n\n4\n00:04,0 --> 00:05,0\nb\nc\nd\n";
    expect(read(text).map((each) => each.text)).toEqual(["a", "b", "c", "d"]);
  });

  test("are told from captions with a few repeated rows", () => {
    const text =
      "1\n00:01,0 --> 00:02,0\nNo.\n\n2\n00:02,0 --> 00:03,0\nNo.\n\n" +
      "3\n00:03,0 --> 00:04,0\nYes.\n\n4\n00:04,0 --> 00:05,0\nYes.\nReally?\n";
    expect(read(text).map((each) => each.text)).toEqual(["No.", "No.", "Yes.", "Yes.\nReally?"]);
  });
});

describe("ASS", () => {
  const events =
    "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n";
  const head =
    "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Alignment\n" +
    "Style: Default,Arial,2\nStyle: Sign,Arial,8\n\n";

  test("keeps commas, line breaks, italics and positions", () => {
    const text =
      `${head}${events}Dialogue: 0,0:00:01.50,0:00:03.00,Default,,0,0,0,,One, {\\i1}two{\\i0}\\Nthree\n` +
      "Dialogue: 0,0:00:04.00,0:00:05.00,Sign,,0,0,0,,A sign\n" +
      "Comment: 0,0:00:06.00,0:00:07.00,Default,,0,0,0,,not shown\n" +
      "Dialogue: 0,0:00:08.00,0:00:09.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}{\\an7}Left\n";
    expect(read(text)).toEqual([
      line(1500, 3000, "One, <i>two</i>\nthree"),
      line(4000, 5000, "A sign", "line:0"),
      line(8000, 9000, "Left", "line:0 align:start"),
    ]);
  });
});

test("shows lines of several ASS layers once, and resets styles", () => {
  const events =
    "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n";
  const times = "0:00:01.00,0:00:02.00,Default,,0,0,0,,";
  const text =
    `${events}Dialogue: 0,${times}{\\k10}ka{\\k20}ra\nDialogue: 1,${times}{\\k10}ka{\\k20}ra\n` +
    `Dialogue: 0,${times}{\\b1}bold{\\r} plain {\\i1}slanted{\\rOther} plain{\\rnd5}\n` +
    "Dialogue: 0,never,0:00:02.00,Default,,0,0,0,,lost\n";
  const { lines, missedRows } = readCaptions(Buffer.from(text));
  expect(lines.map((each) => each.text)).toEqual([
    "kara",
    "<b>bold</b> plain <i>slanted</i> plain",
  ]);
  expect(missedRows).toEqual([6]);
});

describe("data of a camera", () => {
  const isData = (...texts: string[]) =>
    isCameraData(texts.map((text, at) => line(at * 1000, at * 1000 + 1000, text)));

  test.each([
    "HOME(149.0251,-20.2532) 2017.08.05 14:11:51\nGPS(149.0253,-20.2533,16) BAROMETER:1.9",
    "F/2.8, SS 206.14, ISO 150, EV 0, GPS (-122.3699, 37.5929, 15), D 224.21m, H 53.20m",
    "FrameCnt: 1, DiffTime: 33ms\n[iso: 100] [latitude: 50.123456] [longitude: 10.123456]",
    "[iso : 100] [latitude : 50.123456] [longtitude : 10.123456]",
    "SrtCnt : 1, DiffTime : 33ms",
    "2026/01/01 12:00:00 N:50.123456 E:10.123456 42 km/h",
    "+50.1234+010.1234/",
    "HOME(W: 122.369900, N: 37.592900)",
    "$GPRMC,141151.00,A,2015.19,S,14901.51,E,0.1,,050817,,,A*76",
  ])("recognizes %j", (text) => {
    expect(isData(text)).toBe(true);
    expect(isData(...Array<string>(5).fill("waiting for a signal"), text)).toBe(true);
  });

  test("accepts a film that mentions positions", () => {
    const words = ["Go home (now).", "We lost GPS (again).", "What's our latitude?", "Lat: no."];
    expect(isData(...words)).toBe(false);
    const others = Array.from({ length: 20 }, (_, at) => `Mayday ${at}`);
    expect(isData(...others, "Latitude: 50.1, longitude: 10.2!")).toBe(false);
  });
});

describe("hostile text", () => {
  const hostile = [
    "<script>alert(1)</script>shown",
    '<img src=x onerror="alert(1)">shown',
    "<ScRiPt\n>x</sCrIpT >shown",
    "<<b>script>alert(1)<</b>/script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<i onmouseover=alert(1)>shown</i>",
    "<b><b><b><i></b>shown",
    "a --> b\n00:00:01.000 --> 00:00:02.000\nnext",
    "\u0000\u0008shown\ud800",
    '<c.x:y><v "><svg/onload=alert(1)>">shown',
  ];

  test.each(hostile)("converts %j to text with only allowed tags", (text) => {
    const written = toVttText(cleanFileText(text, { hasEntities: true }));
    const tags = written.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => !/^<\/?(b|i|u|ruby|rt)>$/.test(tag))).toEqual([]);
    expect(written.replaceAll(/<\/?[a-z]+>/g, "")).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    expect(written).not.toContain("-->");
    expect(written).not.toMatch(/\n\s*\n/);
    expect(written.isWellFormed()).toBe(true);
  });

  test("closes every opened tag in the right order", () => {
    expect(toVttText("<b>a<i>b</b>c")).toBe("<b>a<i>b</i></b><i>c</i>");
    expect(toVttText("</b>a<i>")).toBe("a<i></i>");
    expect(toVttText("<ruby>漢<rt>かん</ruby>です")).toBe("<ruby>漢<rt>かん</rt></ruby>です");
  });

  test("keeps characters that aren't tags", () => {
    expect(toVttText("I <3 you & me -> x<y")).toBe("I &lt;3 you &amp; me -&gt; x&lt;y");
  });

  test("keeps edited text in angle brackets, with markup only for allowed tags", () => {
    const text = "Write List<String> or <div> or <i onclick=x>, <b>not</b> <script>";
    expect(cleanText(text)).toBe(text);
    expect(plainText(text)).toBe("Write List<String> or <div> or <i onclick=x>, not <script>");
    expect(toVttText(text)).toBe(
      "Write List&lt;String&gt; or &lt;div&gt; or &lt;i onclick=x&gt;, <b>not</b> &lt;script&gt;",
    );
  });

  test("preserves marks and direction of right-to-left text", () => {
    const text = "\u202bשלום <i>עולם</i>\u202c\u200f!";
    expect(cleanText(text)).toBe(text);
    expect(plainText(text)).toBe("\u202bשלום עולם\u202c\u200f!");
  });

  test("accepts only WebVTT settings as a position", () => {
    expect(cleanPlace("line:0 position:10%,line-left size:50% align:left vertical:rl x:<b>")).toBe(
      "line:0 position:10%,line-left size:50% align:left vertical:rl",
    );
    expect(cleanPlace("line:1\n\n00:00 --> 00:01 position:1e9%")).toBe("line:1");
  });
});

describe("size", () => {
  test("accepts 10,000 lines but refuses 20,001", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => {
        const at = (s: number) => new Date(s * 1000).toISOString().slice(11, 23).replace(".", ",");
        return `${i + 1}\n${at(i)} --> ${at(i + 1)}\nLine ${i}\n`;
      }).join("\n");
    expect(read(many(10_000))).toHaveLength(10_000);
    expect(() => read(many(20_001))).toThrow("at most 20000 lines");
  });

  test.each([
    ["SubRip", readSrt, "1\n00:00:01,000 --> 00:00:02,000\nLine\n\n"],
    ["WebVTT", readWebVtt, "00:01.000 --> 00:02.000\nLine\n\n"],
    ["ASS", readAss, "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Line\n"],
  ])("stops reading a %s file at the limit", (_, readFormat, cue) => {
    const found = collectLines();
    const format =
      "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n";
    expect(() => readFormat(`${format}${cue.repeat(30_000)}`, found)).toThrow("at most 20000");
    expect(found.lines).toHaveLength(20_001);
  });

  test("cuts off very long text without tags", () => {
    const long = read(`WEBVTT\n\n00:01.000 --> 00:02.000\n${"<a".repeat(400_000)}`);
    expect(long[0]?.text.length).toBeLessThanOrEqual(2000);
    const scripts = read(`WEBVTT\n\n00:01.000 --> 00:02.000\nA${"<script".repeat(100_000)}`);
    expect(scripts[0]?.text.length).toBeLessThanOrEqual(2000);
    const letters = read(`WEBVTT\n\n00:01.000 --> 00:02.000\n<${"a".repeat(800_000)}`);
    expect(letters[0]?.text.length).toBeLessThanOrEqual(2000);
  });

  // Quadratic work on such a file would take days.
  test.each([
    ["empty lines", "\n"],
    ["spaces", " "],
    ["lines with many fields", "Dialogue: 0\n"],
  ])("reads the largest allowed ASS file of %s", (_name, text) => {
    const head = `[Events]\nFormat: ${"a,".repeat(500_000)}\n`;
    const rest = text.repeat((captionLimits.maxFileBytes - head.length) / text.length);
    expect(() => read(head + rest)).toThrow("no line with text");
  });

  test.each(["", "hello", "%PDF-1.7", "WEBVTTX\n\n"])(
    "refuses %j as another kind of file",
    (text) => {
      expect(() => read(text)).toThrow("SRT, WebVTT or ASS");
    },
  );

  test("refuses a file without usable lines", () => {
    expect(() => read("WEBVTT\n\nNOTE nothing")).toThrow("no line with text");
  });
});

test("shortens or drops lines that are moved before the start", () => {
  const lines = [line(0, 1000, "gone"), line(1000, 3000, "cut"), line(5000, 6000, "moved")];
  expect(shiftLines(lines, (timeMs) => timeMs - 2000)).toEqual([
    line(0, 1000, "cut"),
    line(3000, 4000, "moved"),
  ]);
});
