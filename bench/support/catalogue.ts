import { slugify } from "#server/lib/names.ts";
import { createRandom, type Random } from "#test/reference/random.ts";

/** Generated video. Label numbers are indexes of the catalogue's lists. */
export interface GeneratedVideo {
  title: string;
  slug: string;
  description: string;
  durationS: number;
  /** Milliseconds before now. */
  ageMs: number;
  isPublished: boolean;
  isPremium: boolean;
  categories: number[];
  tags: number[];
  actors: number[];
  /** Total views. The other counts are derived from it. */
  views: number;
  likes: number;
  engaged: number;
  completed: number;
}

export interface Catalogue {
  categories: string[];
  tags: string[];
  actors: string[];
  videos: Iterable<GeneratedVideo>;
}

const openings =
  "Quiet Golden Slow Hidden Wild Early Late First Last Distant Bright Silver Misty Open Endless Gentle Restless Frozen Painted Salty Dusty Northern Southern Secret Simple Sunday Midnight Winter Summer Autumn Spring Rainy Paper Copper Velvet Electric Forgotten Handmade Borrowed Floating".split(
    " ",
  );
const subjects =
  "Morning Harbour River Kitchen Garden Market Train Mountain Lighthouse Forest Island Bicycle Workbench Bakery Festival Desert Orchestra Window Bridge Meadow Waterfall Library Tram Vineyard Carnival Rooftop Ferry Orchard Glacier Skatepark Pottery Campfire Canyon Kite Snowfall Dance Rehearsal Marathon Aquarium Observatory".split(
    " ",
  );
const places =
  "Lisbon Oslo Nairobi Kyoto Lagos Marrakesh Reykjavik Naples Valparaíso Porto Zanzibar Tromsø Dakar Kraków Bergen Malmö Cádiz Galway Bruges Ljubljana Accra Hanoi Cusco Tbilisi Split Utrecht".split(
    " ",
  );
const links = ["in", "near", "above", "of", "before", "after", "without"];
const tagStems =
  "drone travel timelapse food craft music nature city night ocean street family slowmotion tutorial vintage macro documentary live portrait sport animals weather architecture dance".split(
    " ",
  );
const tagEnds = [
  "",
  "s day",
  " diary",
  " walk",
  " talk",
  " life",
  " 4k",
  " story",
  " club",
  " live",
  " lesson",
  " notes",
  " tour",
  " mix",
  " studio",
  " lab",
  " faces",
  " trip",
  " hour",
  " guide",
  " clips",
  " basics",
  " archive",
  " sessions",
  " view",
  " works",
  " sound",
  " light",
  " colours",
  " moments",
];
const firstNames =
  "Amara Björn Chiara Dayo Elif Farah Goran Hana Inés Jonas Kofi Lena Mateo Nadia Omar Paola Quentin Rosa Sami Thabo Uma Viktor Wanda Ximena Yara Zoë".split(
    " ",
  );
const lastNames =
  "Abara Berg Castro Dlamini Eriksen Fontaine García Hughes Ivanova Jansen Kowalski Lindqvist Moreau Novák Okafor Petrov Quispe Rossi Schmidt Tanaka Ueda Vargas Weiss Xu Yilmaz Zanetti".split(
    " ",
  );
const sentences = [
  "Filmed over one weekend with a small crew.",
  "We walked until the light was gone and kept every minute of it.",
  "No music, no talking, only what could be heard there.",
  "The second part follows as soon as the weather allows.",
  "Thanks to all who opened a door for us.",
  "Shot by hand, cut on the train home.",
  "A reply to the many questions under the last one.",
  "Best with headphones and some patience.",
];

const dayMs = 86_400_000;

function titleOf(random: Random, number: number): string {
  const core = `${random.pick(openings)} ${random.pick(subjects)} ${random.pick(links)} ${random.pick(places)}`;
  const kind = random.below(10);
  if (kind < 3) return `${core}, part ${1 + random.below(40)}`;
  if (kind < 5)
    return `${random.pick(subjects)} ${random.pick(links)} ${random.pick(places)}: ${random.pick(openings)} ${random.pick(subjects)} ${number}`;
  if (kind < 6) return `How we filmed the ${core}`;
  return `${core} ${1 + random.below(2000)}`;
}

/** Returns distinct numbers below `count`. Common ones occur more often. */
function several(random: Random, count: number, howMany: number): number[] {
  const chosen = new Set<number>();
  for (let tries = 0; chosen.size < howMany && tries < howMany * 4; tries += 1) {
    chosen.add(random.zipf(count));
  }
  return [...chosen];
}

/**
 * Generates a realistic catalogue: a few popular videos and many unpopular ones, labels of all
 * sizes, and more recent uploads than old ones. It depends only on the count and the seed.
 */
export function generateCatalogue(count: number, seed: number): Catalogue {
  const random = createRandom(seed);
  const categories = [
    "African",
    "Ebony",
    "Teen",
    "Travel",
    "Music",
    "Documentary",
    "Comedy",
    "Sport",
    "Cooking",
    "Nature",
    "Animation",
    "Archive",
  ];
  const tags = tagStems.flatMap((stem) => tagEnds.map((end) => `${stem}${end}`));
  const actors = firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`));

  function* videos(): Generator<GeneratedVideo> {
    for (let number = 0; number < count; number += 1) {
      const title = titleOf(random, number);
      const views = Math.floor(Math.exp(4 + 2.2 * random.normal()));
      const engaged = Math.floor(views * (0.3 + 0.5 * random.next()));
      const isPublished = random.next() > 0.03;
      yield {
        title,
        slug: `${slugify(title)}-${number.toString(36)}`,
        description: Array.from({ length: 1 + random.below(4) }, () => random.pick(sentences)).join(
          " ",
        ),
        durationS: Math.round(Math.exp(4.6 + random.normal()) * 10) / 10 + 3,
        // Oldest first, like uploads.
        ageMs: Math.floor(900 * dayMs * (1 - (number + random.next()) / count) ** 1.5),
        isPublished,
        isPremium: random.next() < 0.08,
        categories: several(random, categories.length, 1 + random.below(2)),
        tags: several(random, tags.length, 2 + random.below(7)),
        actors: several(random, actors.length, random.below(4)),
        views: isPublished ? views : 0,
        engaged: isPublished ? engaged : 0,
        likes: isPublished ? Math.floor(engaged * 0.3 * random.next() ** 2) : 0,
        completed: isPublished ? Math.floor(engaged * 0.6 * random.next()) : 0,
      };
    }
  }
  return { categories, tags, actors, videos: { [Symbol.iterator]: videos } };
}
