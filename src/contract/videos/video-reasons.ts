/** Reason why a video is in a list: the name of a text and its subject. */
export interface VideoReason {
  kind: keyof typeof reasonTexts;
  /** Name of a video or label. */
  name?: string;
  count?: number;
}

/** In English, as the API says it; pages have them in their language too. */
export const reasonTexts = {
  newcomer: "New, shown to few so far",
  watched: (title: string) => `Because you watched ${title}`,
  taste: "Like what you watch",
  label: (name: string) => `Because you watch ${name}`,
  quality: "Watched longer than most of its length",
  exploration: "Picked by chance, to learn who likes it",
  publishedToday: "Published today",
  publishedRecently: "Published recently",
  seen: "You watched this before",
  viewsSoFar: (views: string) => `${views} so far`,
  viewsToday: (views: string) => `${views} in 24 h`,
  viewsWeek: (views: string) => `${views} in 7 days`,
  viewsMonth: (views: string) => `${views} in 30 days`,
  viewsAll: (views: string) => `${views} in all`,
  pointsToday: (points: string) => `${points} points for likes and full plays in 24 h`,
  pointsWeek: (points: string) => `${points} points for likes and full plays in 7 days`,
  pointsMonth: (points: string) => `${points} points for likes and full plays in 30 days`,
  pointsAll: (points: string) => `${points} points for likes and full plays in all`,
  viewers: "Its viewers watched this too",
  sameActor: "With the same actor",
  sameCategory: "In the same category",
  sameTags: "With the same tags",
  sameTag: (name: string) => `Also ${name}`,
  similarTitle: "A similar title",
  trending: "Trending now",
  inTitle: "Matched in the title",
  inLabel: (name: string) => `Matched in ${name}`,
  inCategory: (name: string) => `Matched in the category ${name}`,
  inDescription: "Matched in the description",
  similarWords: "Matched by similar words",
  spoken: (time: string) => `Said at ${time}`,
};

/**
 * Returns the sentence. @param countOf a number of views, or of points, in the language of the
 * texts.
 */
export function reasonText(
  texts: Readonly<Record<VideoReason["kind"], string | ((about: string) => string)>>,
  { kind, name = "", count }: VideoReason,
  countOf: (count: number, isViewCount: boolean) => string,
): string {
  const text = texts[kind];
  if (typeof text === "string") return text;
  return text(count === undefined ? name : countOf(count, kind.startsWith("views")));
}
