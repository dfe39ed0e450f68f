import { z } from "zod";

/** What a check of the doctor found. */
const finding = z.object({
  /** What was checked, such as `clocks`. */
  about: z.string(),
  state: z.enum(["ok", "warning", "failure"]),
  /** What was found, in one line. */
  says: z.string(),
  /** Why it matters. */
  means: z.string(),
  /** What to do; null where all is well. */
  advice: z.string().nullable(),
});
export type Finding = z.infer<typeof finding>;

/** GET /api/admin/doctor: the checks of `npm run doctor`, made by the process that responds. */
export const doctorReport = z.object({
  findings: z.array(finding),
  /** The machine that responded. */
  host: z.string(),
  checkedAt: z.iso.datetime(),
});
