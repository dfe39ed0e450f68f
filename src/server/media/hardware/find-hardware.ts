import type { HardwareEncoderName } from "#server/lib/hardware-encoder-names.ts";
import type { Logger } from "#server/lib/logger.ts";
import { encodeVideo } from "../plan/encode-options.ts";
import { smallJobLimits, type RunLimits } from "../plan/process-limits.ts";
import { lastLines } from "../run/media-process-error.ts";
import type { ProcessRunner } from "../run/run-process.ts";
import { hardwareEncoders, toHardware, type HardwareEncoder } from "./hardware-encoders.ts";

/** What a run on a graphics chip needs in the place of a run on processors. */
interface HardwareRun {
  args: string[];
  devices: string[];
  limits: RunLimits;
}

/** The hardware encoder that is in force. */
export interface Hardware {
  /** One line for operators. */
  description: string;
  isWorking(): boolean;
  /** Null where the processors encode. */
  adapt(run: { args: string[]; limits: RunLimits }): HardwareRun | null;
  /** How a run that was adapted has ended. After some failures in a row, processors do the rest. */
  note(failure: Error | null): void;
}

/** Drivers reserve far more addresses than they use; the resident memory stays limited. */
const driverAddressBytes = 2 ** 40;
const maxFailures = 3;
const trialRung = { shortSide: 360, width: 640, height: 360, maxrateKbps: 1060, crf: 23 };

/**
 * Looks for a hardware encoder: ffmpeg knows it, and it encodes a second of pictures in the sandbox of
 * all other runs.
 * @param wanted its name, or `auto` for the first that works.
 */
export async function findHardware(
  deps: { ffmpeg: string; runner: ProcessRunner; cwd: string; logger: Logger },
  wanted: HardwareEncoderName | "auto",
): Promise<Hardware> {
  const { ffmpeg, runner, cwd } = deps;
  const problems: string[] = [];
  const known = await runner.run({
    program: ffmpeg,
    args: ["-hide_banner", "-encoders"],
    cwd,
    limits: smallJobLimits,
  });
  const listed = known.stdout.toString("utf8");
  for (const encoder of hardwareEncoders) {
    if (wanted !== "auto" && encoder.name !== wanted) continue;
    if (!new RegExp(`^ V\\S+ +${encoder.codec} `, "m").test(listed)) {
      if (wanted !== "auto") problems.push(`this ffmpeg has no ${encoder.codec}`);
      continue;
    }
    const { args, limits, devices } = adaptTo(encoder, {
      args: trialArgs,
      limits: smallJobLimits,
    });
    const trial = await runner.run({
      program: ffmpeg,
      args,
      cwd,
      limits,
      devices,
      isUrgent: true,
    });
    if (trial.exitCode === 0) return createHardware(encoder, deps.logger);
    problems.push(`${encoder.codec} failed its trial (${lastLines(trial.stderr, 1)})`);
  }
  const why = problems.length > 0 ? problems.join("; ") : "this ffmpeg knows none";
  return {
    description: `hardware encoder: none, ${why}; processors encode`,
    isWorking: () => false,
    adapt: () => null,
    note: () => undefined,
  };
}

const trialArgs = [
  ...["-nostdin", "-hide_banner", "-v", "error"],
  ...["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=1"],
  ...["-filter_complex", "[0:v]format=yuv420p[v0]", "-map", "[v0]"],
  ...encodeVideo(trialRung, { num: 25, den: 1 }, 0, 1),
  ...["-f", "null", "-"],
];

function adaptTo(
  encoder: HardwareEncoder,
  { args, limits }: { args: string[]; limits: RunLimits },
): HardwareRun {
  return {
    args: toHardware(args, encoder),
    devices: encoder.listDevices(),
    limits: { ...limits, addressSpaceBytes: driverAddressBytes },
  };
}

function createHardware(encoder: HardwareEncoder, logger: Logger): Hardware {
  let failures = 0;
  const isWorking = () => failures < maxFailures;
  return {
    description: `hardware encoder: ${encoder.name} (${encoder.codec})`,
    isWorking,
    adapt: (run) => (isWorking() ? adaptTo(encoder, run) : null),
    note(failure) {
      failures = failure === null ? 0 : failures + 1;
      if (failure === null) return;
      const says = isWorking()
        ? "the hardware encoder failed; processors encode this video"
        : "the hardware encoder failed again; processors encode until the next start";
      logger.warn({ err: failure, encoder: encoder.codec }, says);
    },
  };
}
