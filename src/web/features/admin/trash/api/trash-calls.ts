import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { limits } from "#contract/limits.ts";
import { trashList, type TrashList } from "#contract/videos/trash.ts";
import { video, type Video } from "#contract/videos/videos.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall, adminSend } from "../../shared/admin-api.ts";

const trashKey = ["admin", "trash"] as const;

/** @param page from 1. */
export const trashQueryOf = (page: number) =>
  queryOptions({
    queryKey: [...trashKey, page],
    queryFn: (): Promise<TrashList> => {
      const limit = limits.adminPageSize;
      return adminCall(
        `/api/admin/trash${queryString({ limit, offset: (page - 1) * limit })}`,
        trashList,
      );
    },
    placeholderData: keepPreviousData,
  });

export const restoreVideo = (id: string): Promise<Video> =>
  adminCall(`/api/admin/trash/${id}/restore`, video, { method: "POST" });

export const eraseVideo = (id: string): Promise<void> =>
  adminSend(`/api/admin/trash/${id}`, { method: "DELETE" });
