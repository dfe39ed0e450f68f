import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { trashList, type TrashList } from "#contract/videos/trash.ts";
import { video, type Video } from "#contract/videos/videos.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";

const trashKey = ["admin", "trash"] as const;

/** @param page from 1. */
export const trashQueryOf = (page: number, pageSize: number) =>
  queryOptions({
    queryKey: [...trashKey, page, pageSize],
    queryFn: (): Promise<TrashList> =>
      adminCall(
        `/api/admin/trash${queryString({ limit: pageSize, offset: (page - 1) * pageSize })}`,
        trashList,
      ),
    placeholderData: keepPreviousData,
  });

export const restoreVideo = (id: string): Promise<Video> =>
  adminCall(`/api/admin/trash/${id}/restore`, video, { method: "POST" });

export const eraseVideo = (id: string): Promise<void> =>
  adminSend(`/api/admin/trash/${id}`, { method: "DELETE" });
