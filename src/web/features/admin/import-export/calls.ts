import { queryOptions } from "@tanstack/react-query";
import {
  importDetails,
  importFolder,
  importJob,
  importList,
  type CsvKind,
  type ImportDetails,
  type ImportJob,
} from "#contract/videos/imports.ts";
import type { SiteImportBody } from "#contract/videos/site-imports.ts";
import { watchedFolder } from "#contract/videos/watched-folder.ts";
import { queryString } from "#web/lib/api/http.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";

export const importsKey = ["admin", "imports"] as const;

/** Returns whether the import is being checked or is running. */
export const isInProgress = ({ state }: ImportJob): boolean =>
  state === "checking" || state === "running";

export const importsQuery = queryOptions({
  queryKey: [...importsKey, "list"],
  queryFn: () => adminCall("/api/admin/imports", importList),
});

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: [...importsKey, id],
    queryFn: () => adminCall(`/api/admin/imports/${encodeURIComponent(id)}`, importDetails),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isInProgress(data) ? 1000 : false,
  });

export const folderQuery = queryOptions({
  queryKey: [...importsKey, "folder"],
  queryFn: () => adminCall("/api/admin/import-folder", importFolder),
});

/** Sends a file. Returns its columns with their detected fields. */
export const createImport = (kind: CsvKind, file: Blob, name: string): Promise<ImportDetails> =>
  adminCall(`/api/admin/imports/${kind}${queryString({ name })}`, importDetails, {
    method: "POST",
    body: file,
  });

/** Queues a check of another site in the import folder. */
export const createSiteImport = (body: SiteImportBody): Promise<ImportJob> =>
  adminCall("/api/admin/imports/site", importJob, { method: "POST", body });

export const checkImport = (id: string, mapping: (string | null)[]): Promise<ImportJob> =>
  adminCall(`/api/admin/imports/${id}/check`, importJob, { method: "POST", body: { mapping } });

export const startImport = (id: string): Promise<ImportJob> =>
  adminCall(`/api/admin/imports/${id}/start`, importJob, { method: "POST" });

export const cancelImport = (id: string): Promise<ImportJob> =>
  adminCall(`/api/admin/imports/${id}/cancel`, importJob, { method: "POST" });

export const watchedKey = ["admin", "watched-folder"] as const;

export const watchedQuery = queryOptions({
  queryKey: watchedKey,
  queryFn: () => adminCall("/api/admin/watched-folder", watchedFolder),
  refetchInterval: 15_000,
});

/** Clears the list of failed files. Those that couldn't be moved are tried again. */
export const clearFailedFiles = (): Promise<void> =>
  adminSend("/api/admin/watched-folder/failed", { method: "DELETE" });
