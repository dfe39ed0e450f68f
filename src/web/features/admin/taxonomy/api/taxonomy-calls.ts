import { queryOptions } from "@tanstack/react-query";
import {
  taxonomyItem,
  taxonomyList,
  type TaxonomyItem,
  type TaxonomyKind,
} from "#contract/taxonomy.ts";
import { adminCall, adminSend } from "../../shared/admin-api.ts";

export interface TaxonomyForm {
  name: string;
  /** Empty is sent as null. */
  description: string;
}

const bodyOf = (form: TaxonomyForm) => ({
  name: form.name.trim(),
  description: form.description.trim() === "" ? null : form.description.trim(),
});

export const taxonomyKey = (kind: TaxonomyKind) => ["admin", kind] as const;

export const taxonomyQuery = (kind: TaxonomyKind) =>
  queryOptions({
    queryKey: taxonomyKey(kind),
    queryFn: () => adminCall(`/api/${kind}`, taxonomyList),
  });

export function createItem(kind: TaxonomyKind, form: TaxonomyForm): Promise<TaxonomyItem> {
  return adminCall(`/api/${kind}`, taxonomyItem, { method: "POST", body: bodyOf(form) });
}

export function updateItem(
  kind: TaxonomyKind,
  id: string,
  form: TaxonomyForm,
): Promise<TaxonomyItem> {
  return adminCall(`/api/${kind}/${id}`, taxonomyItem, { method: "PUT", body: bodyOf(form) });
}

export function deleteItem(kind: TaxonomyKind, id: string): Promise<void> {
  return adminSend(`/api/${kind}/${id}`, { method: "DELETE" });
}

export function mergeItem(kind: TaxonomyKind, id: string, into: string): Promise<TaxonomyItem> {
  return adminCall(`/api/${kind}/${id}/merge`, taxonomyItem, { method: "POST", body: { into } });
}

/** The request body is the file. */
export function sendPicture(kind: TaxonomyKind, id: string, file: File): Promise<TaxonomyItem> {
  return adminCall(`/api/${kind}/${id}/picture`, taxonomyItem, { method: "PUT", body: file });
}

export function removePicture(kind: TaxonomyKind, id: string): Promise<TaxonomyItem> {
  return adminCall(`/api/${kind}/${id}/picture`, taxonomyItem, { method: "DELETE" });
}
