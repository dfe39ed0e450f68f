import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { BulkJob, BulkRequest } from "#contract/videos/admin-videos.ts";
import { notify } from "../../shared/notices.tsx";
import { bulkListKey, bulkListQuery, cancelBulk, startBulk } from "../api/bulk.ts";
import { videoListKey } from "../api/list-videos.ts";
import { bulkResult } from "./bulk-texts.ts";

const isRunning = (job: BulkJob) => job.state === "waiting" || job.state === "running";

/** Starts bulk actions, lists running ones and reports their results. */
export function useBulk() {
  const client = useQueryClient();
  const jobs = useQuery({
    ...bulkListQuery,
    // Fallback for proxies that block events. Events arrive sooner.
    refetchInterval: (query) => (query.state.data?.some(isRunning) === true ? 3000 : false),
  });
  const watched = useRef(new Set<string>());

  useEffect(() => {
    for (const job of jobs.data ?? []) {
      if (isRunning(job)) watched.current.add(job.id);
      else if (watched.current.delete(job.id)) {
        if (job.state === "failed") notify.failure(bulkResult(job));
        else notify.success(bulkResult(job));
        void client.invalidateQueries({ queryKey: videoListKey });
      }
    }
  }, [jobs.data, client]);

  const starting = useMutation({
    mutationFn: (request: BulkRequest) => startBulk(request),
    onSuccess: (job) => {
      watched.current.add(job.id);
    },
    meta: { failure: "Failed to start", refreshes: bulkListKey },
  });
  const cancelling = useMutation({
    mutationFn: (id: string) => cancelBulk(id),
    meta: { failure: "Failed to cancel", refreshes: bulkListKey },
  });

  return {
    running: (jobs.data ?? []).filter(isRunning),
    start: (request: BulkRequest) => starting.mutate(request),
    cancel: (id: string) => cancelling.mutate(id),
    refresh: () => client.invalidateQueries({ queryKey: bulkListKey }),
  };
}
