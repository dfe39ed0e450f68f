import type { Video, VideoUpdate } from "#contract/videos/videos.ts";
import { createFormMerge } from "../shared/editing/merge-forms.ts";
import { joinNames, splitNames } from "../shared/labels/label-names.ts";

/** Values of the edit form. Labels are separated by commas. */
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

const namesOf = (text: string) => joinNames(splitNames(text));

export const videoMerge = createFormMerge<VideoForm>(
  {
    title: "Title",
    description: "Description",
    categories: "Categories",
    tags: "Tags",
    actors: "Actors",
    isPublished: "Published",
    isPremium: "Premium",
  },
  {
    categories: (form) => namesOf(form.categories),
    tags: (form) => namesOf(form.tags),
    actors: (form) => namesOf(form.actors),
  },
);
