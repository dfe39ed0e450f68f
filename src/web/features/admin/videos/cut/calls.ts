import { queryOptions } from "@tanstack/react-query";
import { cutResult, cutState, type CutBody, type CutResult } from "#contract/videos/cut.ts";
import { video, type Video } from "#contract/videos/videos.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall } from "../../shared/admin-api.ts";

const pathOf = (id: string) => `/api/admin/videos/${encodeURIComponent(id)}/cut`;

export const cutStateQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "video", id, "cut"],
    queryFn: () => adminCall(pathOf(id), cutState),
  });

/** @throws ApiError 409 if the video has changed since `version` was read. */
export const cutVideo = (id: string, body: CutBody): Promise<CutResult> =>
  adminCall(pathOf(id), cutResult, { method: "PUT", body });

export const undoCut = (id: string, version: number): Promise<Video> =>
  adminCall(`${pathOf(id)}${queryString({ version })}`, video, { method: "DELETE" });
