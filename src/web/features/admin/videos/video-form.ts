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

export interface FormDifference {
  label: string;
  mine: string;
  theirs: string;
}

const yesNo = (value: boolean) => (value ? "Yes" : "No");

/** The names of the fields in which two versions of a form differ. */
export function formDifferences(mine: VideoForm, theirs: VideoForm): FormDifference[] {
  const rows: FormDifference[] = [
    { label: "Title", mine: mine.title.trim(), theirs: theirs.title },
    { label: "Description", mine: mine.description.trim(), theirs: theirs.description },
    {
      label: "Categories",
      mine: joinNames(splitNames(mine.categories)),
      theirs: theirs.categories,
    },
    { label: "Tags", mine: joinNames(splitNames(mine.tags)), theirs: theirs.tags },
    { label: "Actors", mine: joinNames(splitNames(mine.actors)), theirs: theirs.actors },
    { label: "Published", mine: yesNo(mine.isPublished), theirs: yesNo(theirs.isPublished) },
    { label: "Premium", mine: yesNo(mine.isPremium), theirs: yesNo(theirs.isPremium) },
  ];
  return rows.filter((row) => row.mine !== row.theirs);
}

export function isSameForm(a: VideoForm, b: VideoForm): boolean {
  return formDifferences(a, b).length === 0;
}
