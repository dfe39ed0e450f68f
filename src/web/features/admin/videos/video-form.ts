import type { Video, VideoUpdate } from "../../../../contract/videos.ts";
import { joinNames, splitNames } from "../shared/labels/label-names.ts";

/** The values of the edit form; labels are text with commas. */
export interface VideoForm {
  title: string;
  description: string;
  categories: string;
  tags: string;
  actors: string;
  isPublished: boolean;
  isPremium: boolean;
}

export function videoForm(video: Video): VideoForm {
  return {
    title: video.title,
    description: video.description ?? "",
    categories: joinNames(video.categories.map(({ category }) => category.name)),
    tags: joinNames(video.tags.map(({ tag }) => tag.name)),
    actors: joinNames(video.actors.map(({ actor }) => actor.name)),
    isPublished: video.isPublished,
    isPremium: video.isPremium,
  };
}

export function updateOf(form: VideoForm): VideoUpdate {
  return {
    title: form.title.trim(),
    description: form.description.trim() === "" ? null : form.description.trim(),
    isPublished: form.isPublished,
    isPremium: form.isPremium,
    categories: splitNames(form.categories),
    tags: splitNames(form.tags),
    actors: splitNames(form.actors),
  };
}

type FormField = keyof VideoForm;

/** The name of a field, and its value as it is compared and shown. */
const fields: Record<FormField, { label: string; textOf: (form: VideoForm) => string }> = {
  title: { label: "Title", textOf: (form) => form.title.trim() },
  description: { label: "Description", textOf: (form) => form.description.trim() },
  categories: { label: "Categories", textOf: (form) => namesOf(form.categories) },
  tags: { label: "Tags", textOf: (form) => namesOf(form.tags) },
  actors: { label: "Actors", textOf: (form) => namesOf(form.actors) },
  isPublished: { label: "Published", textOf: (form) => yesNo(form.isPublished) },
  isPremium: { label: "Premium", textOf: (form) => yesNo(form.isPremium) },
};
const fieldNames = Object.keys(fields).filter((name): name is FormField =>
  Object.hasOwn(fields, name),
);

function namesOf(text: string): string {
  return joinNames(splitNames(text));
}

function yesNo(value: boolean): string {
  return value ? "Yes" : "No";
}

const isSameField = (name: FormField, a: VideoForm, b: VideoForm): boolean =>
  fields[name].textOf(a) === fields[name].textOf(b);

export const isSameForm = (a: VideoForm, b: VideoForm): boolean =>
  fieldNames.every((name) => isSameField(name, a, b));

/** A field that two users changed in different ways. */
export interface FieldClash {
  name: FormField;
  label: string;
  mine: string;
  theirs: string;
}

/**
 * Merges two versions that began as `base`, field by field: what only one of them changed is taken.
 * Of the fields in `clashes`, the form has mine.
 */
export function mergeForms(
  base: VideoForm,
  mine: VideoForm,
  theirs: VideoForm,
): { form: VideoForm; clashes: FieldClash[] } {
  const untouched = fieldNames.filter((name) => isSameField(name, base, mine));
  const form = untouched.reduce((merged, name) => withField(merged, name, theirs), mine);
  const clashes = fieldNames
    .filter((name) => !isSameField(name, form, theirs) && !isSameField(name, base, theirs))
    .map((name) => {
      const { label, textOf } = fields[name];
      return { name, label, mine: textOf(mine), theirs: textOf(theirs) };
    });
  return { form, clashes };
}

/** The form with one field of another one. */
export const withField = (form: VideoForm, name: FormField, from: VideoForm): VideoForm => ({
  ...form,
  [name]: from[name],
});
