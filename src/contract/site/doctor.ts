import { z } from "zod";

/** Result of one check of the doctor. */
const finding = z.object({
  /** Subject of the check, such as `clocks`. */
  about: z.string(),
  state: z.enum(["ok", "warning", "failure"]),
  /** Finding, in one line. */
  says: z.string(),
  /** Why it matters. */
  means: z.string(),
  /** Recommended action; null if all is well. */
  advice: z.string().nullable(),
});
export type Finding = z.infer<typeof finding>;

/** GET /api/admin/doctor: the checks of `npm run doctor`, run by the responding process. */
export const doctorReport = z.object({
  findings: z.array(finding),
  /** Machine that responded. */
  host: z.string(),
  checkedAt: z.iso.datetime(),
});
