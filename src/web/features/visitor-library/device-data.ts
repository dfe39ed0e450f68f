import { transferMax } from "#contract/visitors/device-transfers.ts";
import { parseLibrary, type LibraryData } from "#web/lib/visitor-library/library-data.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import {
  resumePoints,
  readResumeEntries,
  type ResumeEntries,
} from "#web/features/player/core/resume-points.ts";

/** Data for another device or a file: the visitor library and resume positions. */
export interface DeviceData extends LibraryData {
  resume: ResumeEntries;
}

export const readDevice = (): DeviceData => ({ ...library.get(), resume: resumePoints.list() });

/** @returns whether the browser has stored the data. */
export function addToDevice({ resume, ...data }: DeviceData): boolean {
  resumePoints.add(resume);
  return library.add(data);
}

export function parseDevice(text: string): DeviceData {
  const data = parseLibrary(text);
  try {
    const fields: unknown = JSON.parse(text);
    const hasResume = typeof fields === "object" && fields !== null && "resume" in fields;
    return { ...data, resume: hasResume ? readResumeEntries(fields.resume) : [] };
  } catch {
    return { ...data, resume: [] };
  }
}

/** Returns a text that a transfer accepts. Drops the oldest history if it is too long. */
export function packDevice(data: DeviceData): { text: string; isComplete: boolean } {
  let kept = data.history.length;
  const packed = () => JSON.stringify({ ...data, history: data.history.slice(0, kept) });
  let text = packed();
  while (text.length > transferMax && kept > 0) {
    kept = Math.max(0, kept - 10);
    text = packed();
  }
  return { text, isComplete: kept === data.history.length };
}
