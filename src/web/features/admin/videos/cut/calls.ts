import { queryOptions } from "@tanstack/react-query";
import {
  cutResult,
  cutState,
  type CutBody,
  type CutResult,
  type CutState,
} from "#contract/videos/cut.ts";
import { video, type Video } from "#contract/videos/videos.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall } from "../../shared/admin-api.ts";
import { getVideo } from "../calls.ts";

const pathOf = (id: string) => `/api/admin/videos/${encodeURIComponent(id)}/cut`;

export interface VideoToCut {
  video: Video;
  state: CutState;
}

export const videoToCutQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "video", id, "cut"],
    queryFn: async (): Promise<VideoToCut> => {
      const [video, state] = await Promise.all([getVideo(id), adminCall(pathOf(id), cutState)]);
      return { video, state };
    },
  });

/** @throws ApiError 409 if the video has changed since `version` was read. */
export const cutVideo = (id: string, body: CutBody): Promise<CutResult> =>
  adminCall(pathOf(id), cutResult, { method: "PUT", body });

export const undoCut = (id: string, version: number): Promise<Video> =>
  adminCall(`${pathOf(id)}${queryString({ version })}`, video, { method: "DELETE" });
