/** Reason why a video is in a list: the name of a text and its subject. */
export interface VideoReason {
  kind: keyof typeof reasonTexts;
  /** Name of a video or label. */
  name?: string;
  count?: number;
}

/** English texts, as in the API. Pages translate them. */
export const reasonTexts = {
  newcomer: "New and not widely shown yet",
  watched: (title: string) => `Because you watched ${title}`,
  taste: "Similar to what you watch",
  label: (name: string) => `Because you watch ${name}`,
  quality: "Most viewers watch it to the end",
  exploration: "New to the feed: we're learning who likes it",
  publishedToday: "Published today",
  publishedRecently: "Published recently",
  seen: "Already watched",
  viewsSoFar: (views: string) => `${views} so far`,
  viewsToday: (views: string) => `${views} in 24 h`,
  viewsWeek: (views: string) => `${views} in 7 days`,
  viewsMonth: (views: string) => `${views} in 30 days`,
  viewsAll: (views: string) => `${views} in total`,
  pointsToday: (points: string) => `${points} points for likes and complete views in 24 h`,
  pointsWeek: (points: string) => `${points} points for likes and complete views in 7 days`,
  pointsMonth: (points: string) => `${points} points for likes and complete views in 30 days`,
  pointsAll: (points: string) => `${points} points for likes and complete views in total`,
  viewers: "Viewers of this video also watched",
  sameActor: "Same actor",
  sameCategory: "Same category",
  sameTags: "Same tags",
  sameTag: (name: string) => `Also ${name}`,
  similarTitle: "Similar title",
  trending: "Trending now",
  inTitle: "Found in the title",
  inLabel: (name: string) => `Found in ${name}`,
  inCategory: (name: string) => `Found in the category ${name}`,
  inDescription: "Found in the description",
  similarWords: "Found by similar words",
  spoken: (time: string) => `Said at ${time}`,
};

/**
 * Returns the sentence. @param countOf formats a number of views or points in the language of the
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
