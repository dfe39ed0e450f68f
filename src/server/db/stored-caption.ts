/** Caption track in its video's row. */
export interface StoredCaption {
  id: string;
  language: string;
  name: string;
  isDefault: boolean;
  isForced: boolean;
  /** True if it describes the picture for blind people. Absent otherwise. */
  isDescription?: boolean;
  origin: "upload" | "file" | "automatic";
  /** Index of the stream if the track comes from the video's file. */
  track: number | null;
  lineCount: number;
  /** Key of the WebVTT file. Its playlist is beside it. */
  key: string;
}
