import { createRandom, type Random } from "#test/reference/random.ts";
import { digitWords, romanNumbers, type SearchVideo } from "./search-titles.ts";

type Spellings = ReadonlyMap<string, readonly string[]>;
const spellings = (text: string): Spellings =>
  new Map(text.split(" ").map((entry) => [entry.slice(0, 1), entry.slice(1).split(",")]));

/** Latin spellings of Cyrillic letters, each letter followed by its spellings. */
const romanised = spellings(
  "аa бb вv гg дd еe ёyo,e жzh зz иi йy,i,j кk лl мm нn оo пp рr сs тt уu фf хkh,h цts,c чch шsh щshch,sch ъ ыy ь эe юyu яya",
);
/** Rarer spellings of the same letters. */
const romanisedOtherwise = spellings(
  "еe,ye,je ёjo,io жzh,j йy,j,i хkh,h,x цts,c,tz шsh щshch,shh ыy,i ь,' юju,iu яja,ia",
);

/** Results of a search, best first. */
export interface Found {
  slug: string;
  title: string;
  actors: readonly string[];
  tags: readonly string[];
}

export interface SearchQuery {
  text: string;
  /** Returns whether a result is the wanted video. */
  isTarget: (found: Found) => boolean;
  /** True for a result that must not appear. */
  isInvalid?: (found: Found) => boolean;
}

export interface QueryClass {
  name: string;
  queries: SearchQuery[];
}

const perClass = 28;
const letters = "abcdefghijklmnopqrstuvwxyz";

type Typo = "replaced" | "missing" | "extra" | "swapped";
const typos: readonly Typo[] = ["replaced", "missing", "extra", "swapped"];

/**
 * Makes one typo in a word. The typo isn't in the first letter unless the word is short, and it
 * always changes the word.
 */
function mistype(random: Random, word: string, kind: Typo): string {
  const chars = [...word];
  const alphabet = /\p{Script=Cyrillic}/u.test(word) ? "абвгдежзиклмнопрстуя" : letters;
  for (;;) {
    const from = chars.length > 3 ? 1 : 0;
    const at = from + random.below(chars.length - from);
    const letter = alphabet[random.below(alphabet.length)] ?? "e";
    const next = chars[at + 1];
    const changed = [...chars];
    if (kind === "replaced") changed[at] = letter;
    else if (kind === "missing") changed.splice(at, 1);
    else if (kind === "extra") changed.splice(at, 0, letter);
    else if (next === undefined) continue;
    else changed.splice(at, 2, next, chars[at] ?? "");
    const result = changed.join("");
    if (result !== word) return result;
    if (kind === "swapped" && new Set(chars.slice(from)).size < 2)
      return mistype(random, word, "replaced");
  }
}

const wordsOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/['’]/g, "")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== "");
const isLatin = (text: string) => /^[\p{Script=Latin}\p{N}\p{P}\p{Z}]+$/u.test(text);
const isPlain = (text: string) => /^[a-zA-Z0-9 ,:'-]+$/.test(text);
const replaceAt = (words: readonly string[], at: number, word: string) =>
  words.map((each, n) => (n === at ? word : each)).join(" ");

/** Writes Cyrillic letters in Latin ones, in one of their spellings. */
const romanise = (random: Random, text: string, others: Spellings = new Map()): string =>
  Array.from(text, (letter) =>
    random.pick(others.get(letter) ?? romanised.get(letter) ?? [letter]),
  ).join("");

/** Known-item queries, each derived from one video. Depends only on the seed and catalogue. */
export function makeQueries(videos: readonly SearchVideo[], seed: number): QueryClass[] {
  const random = createRandom(seed);
  const everyWord = new Set(
    videos.flatMap(({ title, actors, tags, description }) =>
      wordsOf([title, ...actors, ...tags, description].join(" ")),
    ),
  );
  const byActor = new Set(videos.flatMap(({ actors }) => actors));

  const shared = crossedNames(videos, byActor);

  const byTitle = (
    name: string,
    make: (video: SearchVideo, words: string[]) => string | null,
  ): QueryClass => {
    const queries: SearchQuery[] = [];
    for (let tries = 0; queries.length < perClass && tries < 60_000; tries += 1) {
      const video = random.pick(videos);
      const text = make(video, wordsOf(video.title));
      if (text === null) continue;
      queries.push({ text, isTarget: (found) => found.slug === video.slug });
    }
    return { name, queries };
  };
  const byActorName = (name: string, make: (words: string[]) => string | null): QueryClass => {
    const queries: SearchQuery[] = [];
    const names = [...byActor].filter(isPlain);
    for (let tries = 0; queries.length < perClass && tries < 60_000; tries += 1) {
      const actor = random.pick(names);
      const text = make(wordsOf(actor));
      if (text === null) continue;
      queries.push({ text, isTarget: ({ actors }) => actors.includes(actor) });
    }
    return { name, queries };
  };
  const plain =
    (make: (video: SearchVideo, words: string[]) => string | null) =>
    (video: SearchVideo, words: string[]) =>
      isPlain(video.title) ? make(video, words) : null;
  const oneTypo = (kind: Typo) =>
    plain((_video, words) => {
      const at = words.findIndex((word) => word.length >= 5);
      const word = words[at];
      return word === undefined ? null : replaceAt(words, at, mistype(random, word, kind));
    });
  const cut = (word: string, least: number) =>
    word.slice(0, Math.max(least, Math.ceil(word.length * 0.6)));
  const anyTypo = (word: string) => mistype(random, word, random.pick(typos));
  /** Mixes in words of other titles at random positions. */
  const withExtraWords = (words: readonly string[], count: number): string | null => {
    const mixed = [...words];
    for (let n = 0; n < count; n += 1) {
      const extra = random.pick(wordsOf(random.pick(videos).title));
      if (!isPlain(extra) || extra.length < 4 || mixed.includes(extra)) return null;
      mixed.splice(random.below(mixed.length + 1), 0, extra);
    }
    return mixed.join(" ");
  };
  const inScript =
    (script: RegExp, make: (words: string[], title: string) => string | null) =>
    (video: SearchVideo, words: string[]) =>
      script.test(video.title) ? make(words, video.title) : null;
  const cyrillic = /\p{Script=Cyrillic}/u;
  const korean = /\p{Script=Hangul}/u;
  const arabic = /\p{Script=Arabic}/u;
  const titles = new Set(videos.map(({ title }) => title));
  /** If the words are the whole title of another video, that video should come first. */
  const unlessTitle = (text: string) => (titles.has(text) ? null : text);
  const toggleArticle = (word: string) => (word.startsWith("ال") ? word.slice(2) : `ال${word}`);
  const withoutAccents = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "");
  const numberAt = (words: readonly string[], forms: readonly string[]) =>
    words.findIndex((word) => forms.slice(2).some((form) => form.toLowerCase() === word));
  const valueOf = (word: string) =>
    Math.max(
      digitWords.indexOf(word),
      romanNumbers.findIndex((form) => form.toLowerCase() === word),
      /^\d+$/.test(word) && Number(word) <= 20 ? Number(word) : -1,
    );
  const asNumber = (from: readonly string[] | null, to: readonly string[] | null) =>
    plain((_video, words) => {
      const at =
        from === null
          ? words.findIndex((word) => /^\d+$/.test(word) && Number(word) >= 2 && Number(word) <= 20)
          : numberAt(words, from);
      const value = at < 0 ? -1 : valueOf(words[at] ?? "");
      if (value < 2) return null;
      return replaceAt(words, at, to === null ? String(value) : (to[value] ?? "").toLowerCase());
    });

  return [
    byTitle("title", (video) => video.title),
    byTitle("title in capitals", (video) => video.title.toUpperCase()),
    byTitle("title without signs", (_video, words) => words.join(" ")),
    byTitle("title without articles", (_video, words) => {
      const kept = words.filter((word) => !["the", "a"].includes(word));
      return kept.length === words.length || kept.length === 0 ? null : kept.join(" ");
    }),
    byTitle("words in another order", (_video, words) =>
      words.length < 2 ? null : words.toReversed().join(" "),
    ),
    byTitle(
      "last word cut",
      plain((_video, words) => {
        const last = words.at(-1) ?? "";
        return words.length < 2 || last.length < 5
          ? null
          : replaceAt(words, words.length - 1, cut(last, 3));
      }),
    ),
    byTitle(
      "a word missing",
      plain((_video, words) =>
        words.length < 4 ? null : words.filter((_word, at) => at !== 1).join(" "),
      ),
    ),
    byTitle("a letter replaced", oneTypo("replaced")),
    byTitle("a letter missing", oneTypo("missing")),
    byTitle("a letter too many", oneTypo("extra")),
    byTitle("two letters swapped", oneTypo("swapped")),
    byTitle(
      "two typos in 6 to 8 letters",
      plain((_video, words) => {
        const at = words.findIndex((word) => word.length >= 6 && word.length <= 8);
        const word = words[at];
        return word === undefined ? null : replaceAt(words, at, anyTypo(anyTypo(word)));
      }),
    ),
    byTitle(
      "a typo in each of two words",
      plain((_video, words) => {
        const long = words.filter((word) => word.length >= 5);
        return long.length < 2
          ? null
          : words.map((word) => (word.length >= 5 ? anyTypo(word) : word)).join(" ");
      }),
    ),
    byTitle(
      "typo in a cut last word, title",
      plain((_video, words) => {
        const last = words.at(-1) ?? "";
        return words.length < 2 || last.length < 5
          ? null
          : replaceAt(words, words.length - 1, anyTypo(cut(last, 4)));
      }),
    ),
    byTitle(
      "typo in a cut last word of 3 letters",
      plain((_video, words) => {
        const last = words.at(-1) ?? "";
        return words.length < 2 || (words[0]?.length ?? 0) < 5 || last.length < 4
          ? null
          : replaceAt(words, words.length - 1, mistype(random, last.slice(0, 4), "missing"));
      }),
    ),
    byTitle("number word for digits", asNumber(null, digitWords)),
    byTitle("digits for a number word", asNumber(digitWords, null)),
    byTitle("digits for Roman numerals", asNumber(romanNumbers, null)),
    byTitle("Roman numerals for digits", asNumber(null, romanNumbers)),
    byTitle("number word for Roman numerals", asNumber(romanNumbers, digitWords)),
    byTitle(
      "joined words",
      plain((_video, words) => (words.length < 2 || words.length > 4 ? null : words.join(""))),
    ),
    byTitle(
      "two words joined",
      plain((_video, words) =>
        words.length < 3
          ? null
          : [`${words[0] ?? ""}${words[1] ?? ""}`, ...words.slice(2)].join(" "),
      ),
    ),
    byTitle(
      "a word in two",
      plain((_video, words) => {
        const at = words.findIndex((word) => word.length >= 8);
        const word = words[at];
        return word === undefined
          ? null
          : replaceAt(words, at, `${word.slice(0, 4)} ${word.slice(4)}`);
      }),
    ),
    byTitle(
      "one word too many",
      plain((_video, words) => {
        if (words.length < 2) return null;
        const extra = random.pick(videos).title.toLowerCase().split(" ").at(-1) ?? "";
        return !isPlain(extra) || words.includes(extra) ? null : `${words.join(" ")} ${extra}`;
      }),
    ),
    byTitle(
      "a known word anywhere",
      plain((_video, words) => (words.length < 3 ? null : withExtraWords(words, 1))),
    ),
    byTitle(
      "three known words anywhere",
      plain((_video, words) => (words.length < 3 ? null : withExtraWords(words, 3))),
    ),
    byTitle(
      "an unknown word too many",
      plain((_video, words) => {
        const extra = random.pick(["official", "streaming", "trailer", "fullhd", "xvid"]);
        return words.length < 2 || everyWord.has(extra) ? null : `${words.join(" ")} ${extra}`;
      }),
    ),
    byTitle(
      "plural for singular",
      plain((_video, words) =>
        words.length < 2 || (words.at(-1) ?? "").endsWith("s") ? null : `${words.join(" ")}s`,
      ),
    ),
    byTitle("apostrophe left out", (video) =>
      video.title.includes("'") ? video.title.replace("'", "").toLowerCase() : null,
    ),
    byTitle("accents left out", (video) =>
      isLatin(video.title) && withoutAccents(video.title) !== video.title
        ? withoutAccents(video.title)
        : null,
    ),
    byTitle("quoted", (video, words) =>
      words.length < 2 || !isLatin(video.title) ? null : `"${words.join(" ")}"`,
    ),
    minusQueries(videos, random),
    byTitle(
      "title and actor",
      plain((video, words) => {
        const actor = video.actors[0];
        const word = words.find((each) => each.length >= 5);
        return actor === undefined || word === undefined ? null : `${word} ${actor}`.toLowerCase();
      }),
    ),
    byTitle(
      "title and tag",
      plain((video, words) =>
        words.length < 2 || video.tags[0] === undefined
          ? null
          : `${words.join(" ")} ${video.tags[0]}`,
      ),
    ),
    byTitle(
      "title and category",
      plain((video, words) => (words.length < 2 ? null : `${words.join(" ")} ${video.category}`)),
    ),
    byActorName("actor", (words) => words.join(" ")),
    byActorName("actor, both words also of two others", (words) =>
      shared.has(words.join(" ")) ? words.join(" ") : null,
    ),
    byActorName("last name first, both words also of two others", (words) =>
      shared.has(words.join(" ")) ? words.toReversed().join(" ") : null,
    ),
    byActorName("last name first", (words) => words.toReversed().join(" ")),
    byActorName("actor, last word cut", (words) =>
      (words.at(-1) ?? "").length < 5
        ? null
        : replaceAt(words, words.length - 1, cut(words.at(-1) ?? "", 3)),
    ),
    byActorName("actor, a typo", (words) => {
      const at = words.findIndex((word) => word.length >= 5);
      const word = words[at];
      return word === undefined ? null : replaceAt(words, at, anyTypo(word));
    }),
    byActorName("typo in a cut last word, actor", (words) => {
      const last = words.at(-1) ?? "";
      return words.length < 2 || last.length < 5
        ? null
        : replaceAt(words, words.length - 1, anyTypo(cut(last, 4)));
    }),
    byActorName("names of 3 to 4 letters, a typo", (words) => {
      const at = words.findIndex((word) => word.length === 3 || word.length === 4);
      const word = words[at];
      return word === undefined || words.length < 2 ? null : replaceAt(words, at, anyTypo(word));
    }),
    byTitle(
      "Cyrillic",
      inScript(cyrillic, (_words, title) => title),
    ),
    byTitle(
      "Cyrillic, a typo",
      inScript(cyrillic, (words) => {
        const at = words.findIndex((word) => word.length >= 5);
        return at < 0 ? null : replaceAt(words, at, anyTypo(words[at] ?? ""));
      }),
    ),
    byTitle(
      "Cyrillic in Latin letters",
      inScript(cyrillic, (words) => romanise(random, words.join(" "))),
    ),
    byTitle(
      "Cyrillic in Latin letters, rarer spellings",
      inScript(cyrillic, (words) => romanise(random, words.join(" "), romanisedOtherwise)),
    ),
    byTitle(
      "Korean",
      inScript(korean, (_words, title) => title),
    ),
    byTitle(
      "Korean without spaces",
      inScript(korean, (words) => words.join("")),
    ),
    byTitle(
      "Arabic",
      inScript(arabic, (_words, title) => title),
    ),
    byTitle(
      "Arabic, article left out or added",
      inScript(arabic, (words) => unlessTitle(words.map(toggleArticle).join(" "))),
    ),
    byTitle(
      "Greek without accents",
      inScript(/\p{Script=Greek}/u, (_words, title) => withoutAccents(title)),
    ),
    byTitle(
      "Japanese and Chinese",
      inScript(/\p{Script=Han}/u, (_words, title) => title),
    ),
  ];
}

/** Returns names whose first and last word also occur in a video with two other actors. */
function crossedNames(videos: readonly SearchVideo[], names: ReadonlySet<string>): Set<string> {
  const crossed = new Set<string>();
  for (const { actors } of videos) {
    for (const first of actors) {
      for (const last of actors) {
        const name = `${first.split(" ")[0] ?? ""} ${last.split(" ").at(-1) ?? ""}`;
        if (first !== last && names.has(name) && !actors.includes(name)) {
          crossed.add(name.toLowerCase());
        }
      }
    }
  }
  return crossed;
}

/**
 * Builds queries for a word that occurs in several titles, excluding the titles that contain
 * another word.
 */
function minusQueries(videos: readonly SearchVideo[], random: Random): QueryClass {
  const queries: SearchQuery[] = [];
  for (let tries = 0; queries.length < perClass && tries < 60_000; tries += 1) {
    const video = random.pick(videos);
    const [word, other] = wordsOf(video.title).filter((each) => each.length >= 5);
    if (word === undefined || other === undefined || !isPlain(video.title)) continue;
    const has = (title: string, each: string) => wordsOf(title).includes(each);
    const rest = videos.filter(({ title }) => has(title, word) && !has(title, other));
    if (rest.length === 0 || rest.length > 100) continue;
    queries.push({
      text: `${word} -${other}`,
      isTarget: ({ title }) => has(title, word) && !has(title, other),
      isInvalid: ({ title }) => has(title, other),
    });
  }
  return { name: "minus", queries };
}

/** Builds queries from the first 8 characters of titles and names, with and without a typo. */
export function makeBeginnings(
  videos: readonly SearchVideo[],
  seed: number,
): { name: string; wanted: string; typed: string }[] {
  const random = createRandom(seed + 1000);
  const beginnings: ReturnType<typeof makeBeginnings> = [];
  const actors = [...new Set(videos.flatMap((video) => video.actors))];
  for (const [name, texts] of [
    ["titles", videos.map(({ title }) => title)],
    ["actors", actors],
  ] as const) {
    const long = texts.filter((text) => isPlain(text) && text.length >= 10);
    for (let n = 0; n < 150; n += 1) {
      const text = random.pick(long);
      const typed = text.slice(0, 8).toLowerCase().trim();
      const words = typed.split(" ");
      // Makes typos only in words that are long enough to stay recognisable.
      const at = words.findIndex((word) => word.length === Math.max(...words.map((w) => w.length)));
      const wrong = replaceAt(words, at, mistype(random, words[at] ?? "", random.pick(typos)));
      beginnings.push({ name: `${name}, one typo`, wanted: text, typed: wrong });
      beginnings.push({ name: `${name}, no typo`, wanted: text, typed });
    }
  }
  return beginnings;
}
