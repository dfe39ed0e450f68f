import { queryOptions } from "@tanstack/react-query";
import { labelItem, labelList, type LabelItem, type LabelKind } from "#contract/lists/labels.ts";
import { seriesOrder, type SeriesMove } from "#contract/lists/series.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";
import { changedFields } from "../shared/bind-fields.ts";

export interface LabelForm {
  name: string;
  /** An empty text is sent as null. */
  description: string;
  isPodcast: boolean;
  isSeries: boolean;
}

/** Returns the values of a label, or those of an empty form. */
export const labelForm = (item: LabelItem | null): LabelForm => ({
  name: item?.name ?? "",
  description: item?.description ?? "",
  isPodcast: item?.isPodcast ?? false,
  isSeries: item?.isSeries ?? false,
});

const bodyOf = (form: LabelForm) => ({
  isSeries: form.isSeries,
  name: form.name.trim(),
  description: form.description.trim() === "" ? null : form.description.trim(),
  isPodcast: form.isPodcast,
});

export const labelKey = (kind: LabelKind) => ["admin", kind] as const;

export const labelQuery = (kind: LabelKind) =>
  queryOptions({
    queryKey: labelKey(kind),
    queryFn: () => adminCall(`/api/${kind}`, labelList),
  });

export function createItem(kind: LabelKind, form: LabelForm): Promise<LabelItem> {
  return adminCall(`/api/${kind}`, labelItem, { method: "POST", body: bodyOf(form) });
}

/** Sends the fields that differ from `item`, if there are any. */
export async function updateItem(
  kind: LabelKind,
  item: LabelItem,
  form: LabelForm,
): Promise<LabelItem> {
  const body = changedFields(bodyOf(form), bodyOf(labelForm(item)));
  if (Object.keys(body).length === 0) return item;
  return adminCall(`/api/${kind}/${item.id}`, labelItem, { method: "PUT", body });
}

export function deleteItem(kind: LabelKind, id: string): Promise<void> {
  return adminSend(`/api/${kind}/${id}`, { method: "DELETE" });
}

export function mergeItem(kind: LabelKind, id: string, into: string): Promise<LabelItem> {
  return adminCall(`/api/${kind}/${id}/merge`, labelItem, { method: "POST", body: { into } });
}

/** A page of the order of a series. */
export const seriesQuery = (kind: LabelKind, id: string, offset: number) =>
  queryOptions({
    queryKey: ["admin", kind, "series", id, offset],
    queryFn: () => adminCall(`/api/${kind}/${id}/series?offset=${offset}`, seriesOrder),
  });

/** @throws ApiError 409 `edit_conflict` if the video or its neighbor has left the series. */
export function moveInSeries(kind: LabelKind, id: string, move: SeriesMove): Promise<void> {
  return adminSend(`/api/${kind}/${id}/series/moves`, { method: "POST", body: move });
}

/** The request body is the file. */
export function sendPicture(kind: LabelKind, id: string, file: File): Promise<LabelItem> {
  return adminCall(`/api/${kind}/${id}/picture`, labelItem, { method: "PUT", body: file });
}

export function removePicture(kind: LabelKind, id: string): Promise<LabelItem> {
  return adminCall(`/api/${kind}/${id}/picture`, labelItem, { method: "DELETE" });
}
