/** A track of captions in the row of its video. */
export interface StoredCaption {
  id: string;
  language: string;
  name: string;
  isDefault: boolean;
  isForced: boolean;
  origin: "upload" | "file" | "automatic";
  /** Of the stream in the video's file, where it comes from there. */
  track: number | null;
  lineCount: number;
  /** Of the WebVTT file. Its playlist lies beside it. */
  key: string;
}
