import type { MeasuredRate } from "./media-facts.ts";

/** Packet properties of the video track and its default sound, read without decoding. */
export interface PacketScan extends MeasuredRate {
  packetCount: number;
  /** End of the last packet, in seconds from the start of the file. */
  endS: number;
  /** Longest time between two frames, or from the last one to the end. */
  maxFrameGapS: number;
  /** Longest time between two keyframes, or from the last one to the end. */
  maxKeyframeGapS: number;
  /** Number of frames in the file that an edit list hides. A copy would contain them. */
  hiddenFrames: number;
  /**
   * Largest difference between the times of AAC packets and their number times their length, in
   * seconds; 0 for other sound. It grows with gaps, and with times that stretch the sound.
   */
  soundDriftS: number;
}
