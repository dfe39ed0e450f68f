import {
  addedCaption,
  adminCaptions,
  captionDetails,
  type AddedCaption,
  type AdminCaptions,
  type CaptionChange,
  type CaptionDetails,
} from "#contract/videos/captions.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall, adminSend } from "../../shared/admin-api.ts";

const pathOf = (videoId: string, captionId?: string) => {
  const path = `/api/admin/videos/${encodeURIComponent(videoId)}/captions`;
  return captionId === undefined ? path : `${path}/${encodeURIComponent(captionId)}`;
};

export const captionsKey = (videoId: string) => ["admin", "video", videoId, "captions"];

export const listCaptions = (videoId: string): Promise<AdminCaptions> =>
  adminCall(pathOf(videoId), adminCaptions);

export const getCaption = (videoId: string, captionId: string): Promise<CaptionDetails> =>
  adminCall(pathOf(videoId, captionId), captionDetails);

/** @throws ApiError 409 if another user has changed the lines since `expectedUrl` was read. */
export const changeCaption = (
  videoId: string,
  captionId: string,
  change: CaptionChange,
): Promise<CaptionDetails> =>
  adminCall(pathOf(videoId, captionId), captionDetails, { method: "PUT", body: change });

export const deleteCaption = (videoId: string, captionId: string): Promise<void> =>
  adminSend(pathOf(videoId, captionId), { method: "DELETE" });

export const requestAutomaticCaptions = (videoId: string): Promise<AdminCaptions> =>
  adminCall(`${pathOf(videoId)}/automatic`, adminCaptions, { method: "POST" });

export interface NewCaption {
  file: Blob;
  language: string;
  name: string;
  isDefault: boolean;
  isForced: boolean;
}

/** Adds captions from an SRT, WebVTT or ASS file. The request body is the file. */
export function addCaption(videoId: string, { file, ...about }: NewCaption): Promise<AddedCaption> {
  const path = `${pathOf(videoId)}${queryString({ ...about })}`;
  return adminCall(path, addedCaption, { method: "POST", body: file });
}
