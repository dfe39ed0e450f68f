import { z } from "zod";
import { optionalNameText } from "../lists/names.input.ts";

export const captionLimits = {
  maxFileBytes: 4 * 1024 * 1024,
  maxTracks: 32,
  maxLines: 20_000,
  maxLineLength: 2_000,
  maxNameLength: 60,
} as const;

/**
 * Caption track as players need it. `url` is a WebVTT file. It changes when the file's content
 * changes.
 */
export const captionTrack = z.object({
  /** BCP 47, "de" or "pt-BR"; "und" if unknown. */
  language: z.string(),
  name: z.string(),
  url: z.string(),
  /** Shown to visitors who haven't chosen a track. */
  isDefault: z.boolean().optional(),
  /**
   * True for captions that translate only speech in other languages. They are shown even while
   * captions are off.
   */
  isForced: z.boolean().optional(),
  /** True if a track of the video's file describes the picture for blind people. */
  isDescription: z.boolean().optional(),
});
export type CaptionTrack = z.infer<typeof captionTrack>;

const language = z
  .string()
  .trim()
  .max(35)
  .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, "Language must be a code such as en, de or pt-BR");
const name = optionalNameText(captionLimits.maxNameLength);

/** Origin of a track: an uploaded file, the video's file, or `CAPTION_COMMAND`. */
const captionOrigin = z.enum(["upload", "file", "automatic"]);

const adminCaption = captionTrack.extend({
  id: z.string(),
  isDefault: z.boolean(),
  isForced: z.boolean(),
  origin: captionOrigin,
  lineCount: z.int(),
});
export type AdminCaption = z.infer<typeof adminCaption>;

/** Track that was just uploaded, with what couldn't be read in its file. */
export const addedCaption = adminCaption.extend({
  /** Numbers of rows in the file, from 1, that contain a line whose times can't be read. */
  missedRows: z.array(z.int()),
  /** Number of characters that weren't valid in the file's encoding and were replaced. */
  replacedCharacters: z.int(),
});
export type AddedCaption = z.infer<typeof addedCaption>;

export const adminCaptions = z.object({
  captions: z.array(adminCaption),
  /** `off` if `CAPTION_COMMAND` is not set. */
  automatic: z.enum(["off", "idle", "busy"]),
});
export type AdminCaptions = z.infer<typeof adminCaptions>;

export const captionParams = z.object({
  id: z.string().min(1).max(200),
  captionId: z.string().min(1).max(40),
});

const flag = z.enum(["true", "false"]).transform((text) => text === "true");

/** Properties of an uploaded caption file. The file itself is the body. */
export const captionUploadQuery = z.object({
  language,
  /** Defaults to the name of the language. */
  name: name.default(""),
  isDefault: flag.default(false),
  isForced: flag.default(false),
});
export type CaptionUploadQuery = z.infer<typeof captionUploadQuery>;

/** One cue: start and end in milliseconds, and text that may contain b, i and u. */
const captionLine = z.object({
  startMs: z.int().min(0).max(360_000_000),
  endMs: z.int().min(0).max(360_000_000),
  text: z.string().max(captionLimits.maxLineLength),
  /** WebVTT cue settings. */
  place: z.string().max(100),
});
export type CaptionLine = z.infer<typeof captionLine>;

export const captionDetails = adminCaption.extend({ lines: z.array(captionLine) });
export type CaptionDetails = z.infer<typeof captionDetails>;

/** Absent fields stay unchanged. */
export const captionChange = z.object({
  language: language.optional(),
  name: name.optional(),
  isDefault: z.boolean().optional(),
  isForced: z.boolean().optional(),
  lines: z
    .array(captionLine.extend({ place: captionLine.shape.place.default("") }))
    .min(1, "Captions need a line")
    .max(captionLimits.maxLines)
    .optional(),
  /**
   * Address of the track that the user edited. If the current address differs, another user has
   * changed the track.
   */
  expectedUrl: z.string().max(2000).optional(),
});
export type CaptionChange = z.infer<typeof captionChange>;
