/** Kinds of H.264 encoders of graphics chips, in the order in which `auto` tries them. */
export const hardwareEncoderNames = ["nvenc", "qsv", "vaapi", "videotoolbox"] as const;
export type HardwareEncoderName = (typeof hardwareEncoderNames)[number];
