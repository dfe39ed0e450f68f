import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  passBatch,
  passList,
  passWithLink,
  type PassBatchBody,
  type PassBody,
  type PassPatch,
  type PassWithLink,
} from "#contract/visitors/passes.ts";
import { queryString } from "#web/lib/api/http.ts";
import { saveFile } from "#web/lib/save-file.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";
import type { ListParams } from "../shared/list-params.ts";

export const passesKey = ["admin", "passes"] as const;
const path = "/api/admin/passes";

export function passesQuery({ search, page, pageSize, get }: ListParams) {
  const query = { search, state: get("state"), limit: pageSize, offset: (page - 1) * pageSize };
  return queryOptions({
    queryKey: [...passesKey, query],
    queryFn: () => adminCall(path + queryString(query), passList),
    placeholderData: keepPreviousData,
  });
}

export const getPass = (id: string): Promise<PassWithLink> =>
  adminCall(`${path}/${id}`, passWithLink);

export const createPass = (body: PassBody): Promise<PassWithLink> =>
  adminCall(path, passWithLink, { method: "POST", body });

export const updatePass = (id: string, body: PassPatch): Promise<PassWithLink> =>
  adminCall(`${path}/${id}`, passWithLink, { method: "PUT", body });

export async function createPasses(body: PassBatchBody): Promise<PassWithLink[]> {
  return (await adminCall(`${path}/batch`, passBatch, { method: "POST", body })).passes;
}

export const revokePass = (id: string): Promise<void> =>
  adminSend(`${path}/${id}`, { method: "DELETE" });

export const mailPass = (id: string): Promise<void> =>
  adminSend(`${path}/${id}/mail`, { method: "POST" });

/** Saves new passes as a CSV file. Codes and links contain nothing that needs quotes. */
export function savePassesCsv(passes: readonly PassWithLink[]): void {
  const lines = passes.map(({ code, link, validUntil }) => [code, link, validUntil].join(","));
  const text = `${["code,link,valid_until", ...lines].join("\r\n")}\r\n`;
  saveFile(text, "passes.csv", "text/csv");
}
