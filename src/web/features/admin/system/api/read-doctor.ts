import { queryOptions } from "@tanstack/react-query";
import { doctorReport } from "#contract/site/doctor.ts";
import { adminCall } from "../../shared/admin-api.ts";

export const doctorQuery = queryOptions({
  queryKey: ["admin", "doctor"],
  queryFn: () => adminCall("/api/admin/doctor", doctorReport),
  // Opening the page again runs the checks again.
  gcTime: 0,
});
