import type { CaptionLine } from "#contract/videos/captions.ts";
import { cleanFileText, parseTime } from "./caption-text.ts";
import { rowsOf, type LineCollector } from "./line-collector.ts";
import { placeOfAlignment } from "./srt.ts";

const defaultFormat = "layer,start,end,style,name,marginl,marginr,marginv,effect,text".split(",");

/** Maximum number of fields in a line. ASS defines 23. */
const maxFields = 50;

/** Converts alignments of SSA: 5 to 7 at the top, 9 to 11 in the middle. */
const fromSsa = (alignment: number): number =>
  alignment >= 9 ? alignment - 5 : alignment >= 5 ? alignment + 2 : alignment;

/** Reads the lines of an ASS or SSA file: text, times, italics, bold, underline, and position. */
export function readAss(text: string, collector: LineCollector): void {
  const isSsa = !/^[ \t]*\[V4\+ Styles\]/im.test(text);
  const alignments = new Map<string, number>();
  let section = "";
  let format = defaultFormat;
  for (const [index, row] of rowsOf(text).entries()) {
    const heading = /^\s*\[([^\]]{1,60})\]/.exec(row);
    if (heading !== null) {
      section = heading[1]?.toLowerCase() ?? "";
      format = defaultFormat;
      continue;
    }
    const [, kind = "", rest = ""] = /^(\w+):\s?(.*)$/.exec(row.trimStart()) ?? [];
    if (kind === "Format") {
      format = rest.split(",", maxFields).map((name) => name.trim().toLowerCase());
    } else if (kind === "Style" && /styles/.test(section)) {
      const style = fieldsOf(rest, format);
      const alignment = Number(style.get("alignment") ?? 2);
      alignments.set(style.get("name") ?? "", isSsa ? fromSsa(alignment) : alignment);
    } else if (kind === "Dialogue" && section === "events") {
      const line = readDialogue(fieldsOf(rest, format), alignments);
      if (line === null) collector.miss(index + 1);
      else collector.add(line, index + 1);
    }
  }
}

/** The last field is the rest of the text, including commas. */
function fieldsOf(text: string, format: readonly string[]): Map<string, string> {
  const values = text.split(",");
  return new Map(
    format.map((name, i) => [
      name,
      (i === format.length - 1 ? values.slice(i).join(",") : (values[i] ?? "")).trim(),
    ]),
  );
}

function readDialogue(
  fields: ReadonlyMap<string, string>,
  alignments: ReadonlyMap<string, number>,
): CaptionLine | null {
  const startMs = parseTime(fields.get("start") ?? "");
  const endMs = parseTime(fields.get("end") ?? "");
  if (startMs === null || endMs === null) return null;
  const raw = fields.get("text") ?? "";
  const own = /\{[^{}]{0,500}\\an([1-9])/.exec(raw)?.[1];
  const alignment = own === undefined ? alignments.get(fields.get("style") ?? "") : Number(own);
  return { startMs, endMs, text: textOf(raw), place: placeOfAlignment(alignment ?? 2) };
}

/** Returns the text of a line without drawings. Converts codes such as `{\i1}` to tags. */
function textOf(raw: string): string {
  let isDrawing = false;
  let text = "";
  for (const part of raw.split(/(\{[^{}]{0,2000}\})/)) {
    if (!part.startsWith("{")) {
      if (!isDrawing) text += part;
      continue;
    }
    // `\\r` resets the style, also to a named one. `\\rnd` is another code.
    for (const [code, name = "", value = ""] of part.matchAll(
      /\\(?:([ibup])(\d{1,3})(?![a-z])|r(?!nd))/g,
    )) {
      if (code === "\\r") text += "</b></i></u>";
      else if (name === "p") isDrawing = Number(value) > 0;
      else text += Number(value) > 0 ? `<${name}>` : `</${name}>`;
    }
  }
  return cleanFileText(text.replaceAll(/\\[Nn]/g, "\n").replaceAll("\\h", " "));
}
