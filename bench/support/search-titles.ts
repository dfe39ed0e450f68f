import { clips } from "../../demo/clips.ts";
import { seedWords } from "../../demo/seed-words.ts";
import { createRandom, type Random } from "#test/reference/random.ts";

/** Video of the catalogue for search benches. */
export interface SearchVideo {
  slug: string;
  title: string;
  description: string;
  category: string;
  tags: string[];
  actors: string[];
  views: number;
}

const list = (words: string) => words.split(" ");

const adjectives = [
  ...seedWords.moods,
  ...list(
    "Broken Crimson Silent Lonely Burning Savage Perfect Ancient Crooked Hungry Gilded Faithful Reckless Stolen Sleeping Dancing Falling Invisible Blind Honest Wicked Tender Bitter Sacred Lucky Modern Naked Noble Proud Rapid Rotten Rusty Scarlet Shallow Sharp Sleepless Smiling Sober Solar Stubborn Sunken Swift Tall Thirsty Tiny Tired Twisted Upper Urban Vacant Vast Violent Vivid Wandering Warm Wooden Wounded Yellow Young Absent Active Angry Bare Basic Brave Brief Calm Careful Cheap Clever Cosmic Cruel Curious Daily Deaf Deep Divine Double Drunken Eager Eastern Elegant Eternal Exact Fallen Famous Fatal Fearless Final Foreign Fragile Generous Giant Grand Guilty Happy Harmless Heavy Humble Idle Inner Innocent Jealous Jolly Kind Lasting Lazy Legal Lesser Liquid Lost Loyal Lunar Magnetic Marble Mild Minor Missing Moral Mute Narrow Nervous",
  ),
];
const nouns = [
  ...seedWords.things,
  ...list(
    "Moon Ladies Empire Daughter Soldier Witness Hunter Shadow Garden Thief Prophet Orphan Widow Teacher Painter Sailor Butcher Baker Pilot Doctor Lawyer Judge Prince Queen Dragon Tiger Falcon Raven Spider Wolf Horse Snake Salmon Beetle Hornet Letter Promise Secret Rumour Dream Nightmare Memory Silence Thunder Lightning Storm Rain Winter Fever Hunger Revenge Justice Mercy Pride Envy Glory Honour Treasure Diamond Sword Dagger Bullet Cannon Shield Crown Throne Castle Palace Temple Chapel Prison School Hospital Hotel Station Airport Engine Rocket Planet Comet Galaxy Eclipse Horizon Valley Jungle Swamp Cavern Volcano Ocean Lagoon Village Border Highway Crossing Corner Basement Attic Kitchen Table Chair Blanket Pillow Candle Needle Thread Button Jacket Sweater Umbrella Suitcase Envelope Notebook Calendar Alphabet Language Melody Symphony Trumpet Guitar Violin Drummer Singer Dancer Actress Puppet Circus Theatre Cinema Gallery Statue Portrait Wedding Funeral Birthday Holiday Voyage Pilgrim Exile Refugee Neighbour Brother Sister Mother Father Cousin Twins Children Giants Heroes Ghosts Angels Demons Monsters Robots Machines Numbers Secrets Letters Flowers Roses Cherries Apples Lemons Olives Bread Butter Sugar Coffee Whiskey Poison Medicine Science Mathematics Gravity Paradise Kingdom Republic Revolution Rebellion Treaty Parliament Committee Detective Inspector Suspect Alibi Verdict Sentence",
  ),
];
const commonWords = list(
  "about almost always around because better camera colour couple decide evening family follow friend little making minute morning nothing number people person picture quickly reason remember return second several simple small someone sometimes sound start stay story street summer talking thing think together travel trying village visit walking watch weather weekend winter without wonder working world years",
);
const links = list("of in and for at after beyond under without");
const tagStems = list(
  "drama comedy thriller mystery western romance adventure biography history musical sports family animation crime fantasy horror documentary travel nature science food fashion politics space ocean desert city village school music dance",
);
const tagEnds = ["", " classics", " shorts", " nights", " stories", " live"];
const categories = list("Drama Comedy Action Documentary Animation Music Sport Travel");

const cyrillicAdjectives = list(
  "Ночной Белый Чёрный Последний Тихий Старый Красный Зимний Весенний Забытый Счастливый Далёкий",
);
const cyrillicNouns = list(
  "поезд город вокзал снег дневник цирк гость остров сторож учитель мост ключ лебедь щенок журавль хутор",
);
const koreanFirst = list("서울의 바다의 겨울의 엄마의 우리의 봄날의 고양이의 도시의");
const koreanSecond = list("밤 노래 약속 편지 그림자 여행 친구 비밀");
const arabicNouns = list("بيت طريق مدينة حديقة قمر رسالة سفينة كتاب باب ليل");
const arabicAdjectives = list("كبير قديم جديد طويل صغير بعيد");
const greekWords = list("Θάλασσα Ουρανός Δρόμος Νησί Κύμα Άνοιξη Φεγγάρι Ποτάμι");
const japaneseWords = ["東京", "物語", "夜明け", "海辺", "列車", "約束", "手紙", "花火"];
const chineseWords = ["北京", "故事", "黎明", "海边", "火车", "春天", "月亮", "少年"];
const accented = list(
  "Élysée Genève Château Forêt Señorita Mañana Größe Straße Köln Malmö Tromsø Cádiz Déjà Théâtre Crème Fiancée",
);

export const digitWords: readonly string[] = list(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
);
export const romanNumbers: readonly string[] = list(
  "0 I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX",
);

const onsets = list("b br c ch d dr f g gr h j k kl l m n p pr qu r s sh st t th tr v w z");
const vowels = list("a e i o u a e i o ai ea ou");
const codas = ["", "", "l", "n", "r", "s", "t", "ck", "m", "nd", "rt", "x"];

/** Returns a made-up name with this number of syllables. */
function coin(random: Random, syllables: number): string {
  let word = "";
  for (let n = 0; n < syllables; n += 1) {
    word += random.pick(onsets) + random.pick(vowels);
    if (n === syllables - 1) word += random.pick(codas);
  }
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function coinSeveral(random: Random, count: number, syllables: readonly number[]): string[] {
  const found = new Set<string>();
  while (found.size < count) found.add(coin(random, random.pick(syllables)));
  return [...found];
}

const small = new Set(["the", "a", "of", "in", "and", "for", "at", "part", "after", "under"]);
const meaning = (title: string) =>
  title
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !small.has(word))
    .toSorted()
    .join(" ");

/**
 * Generates the demonstration catalogue plus other titles, `count` in total. They consist of real
 * words and made-up names. Some are numbered, accented or in other scripts. All titles differ in
 * their words.
 */
export function generateSearchVideos(count: number, seed: number): SearchVideo[] {
  const random = createRandom(seed * 7919);
  const places = coinSeveral(random, 1500, [2, 2, 3]);
  const firstNames = [...seedWords.firstNames, ...coinSeveral(random, 400, [1, 2, 2])];
  const lastNames = [...seedWords.lastNames, ...coinSeveral(random, 1200, [1, 2, 2, 3])];
  const actors = new Set<string>();
  while (actors.size < 4000) actors.add(`${random.pick(firstNames)} ${random.pick(lastNames)}`);
  const actorList = [...actors];
  const tags = tagStems.flatMap((stem) => tagEnds.map((end) => stem + end));

  const number = (below: number) => {
    const value = 2 + random.below(below - 2);
    const form = random.below(3);
    return form === 0
      ? String(value)
      : ((form === 1 ? digitWords : romanNumbers)[value] ?? String(value));
  };
  const adjective = () => random.pick(adjectives);
  const noun = () => random.pick(nouns);
  const place = () => random.pick(places);
  const latin: readonly (() => string)[] = [
    () => `The ${adjective()} ${noun()}`,
    () => `${adjective()} ${noun()}`,
    () => `${noun()} ${random.pick(links)} ${place()}`,
    () => `The ${noun()} ${random.pick(links)} ${place()}`,
    () => `${place()} ${noun()}`,
    () => `${place()}'s ${noun()}`,
    () => `${noun()} and ${noun()}`,
    () => `A ${noun()} for ${random.pick(firstNames)}`,
    () => place(),
    () => `${random.pick(firstNames)} ${random.pick(links)} ${place()}`,
    () => `${adjective()} ${noun()} ${number(21)}`,
    () => `${place()} ${number(13)}`,
    () =>
      `${random.pick(digitWords.slice(2))} ${adjective()} ${noun()}`.replace(/^./, (c) =>
        c.toUpperCase(),
      ),
    () => `${noun()} ${random.pick(links)} the ${adjective()} ${noun()}`,
    () => `${noun()}${noun().toLowerCase()}`,
    () => `${adjective()} ${noun()} in ${place()}: The ${noun()}`,
    () => `${random.pick(accented)} ${random.pick(links)} ${place()}`,
  ];
  const others: readonly (() => string)[] = [
    () => `${random.pick(cyrillicAdjectives)} ${random.pick(cyrillicNouns)}`,
    () => `${random.pick(koreanFirst)} ${random.pick(koreanSecond)}`,
    () => `ال${random.pick(arabicNouns)} ال${random.pick(arabicAdjectives)}`,
    () => `${random.pick(arabicNouns)} ${random.pick(arabicAdjectives)}`,
    () => `${random.pick(greekWords)} ${random.pick(greekWords)}`,
    () => `${random.pick(japaneseWords)}の${random.pick(japaneseWords)}`,
    () => `${random.pick(chineseWords)}的${random.pick(chineseWords)}`,
  ];

  const seen = new Set<string>();
  const videos: SearchVideo[] = clips.slice(0, count).map((clip) => {
    seen.add(meaning(clip.title));
    return {
      slug: clip.slug,
      title: clip.title,
      description: clip.description,
      category: clip.categories[0] ?? "Other",
      tags: [...clip.tags],
      actors: [...clip.actors],
      views: clip.views,
    };
  });
  while (videos.length < count) {
    const title = random.pick(random.next() < 0.05 ? others : latin)();
    const key = meaning(title);
    if (seen.has(key)) continue;
    seen.add(key);
    const some = (max: number, of: () => string) => [
      ...new Set(Array.from({ length: 1 + random.below(max) }, of)),
    ];
    videos.push({
      slug: `v-${videos.length}`,
      title,
      description: Array.from({ length: 12 + random.below(20) }, () =>
        random.next() < 0.9 ? random.pick(commonWords) : noun().toLowerCase(),
      ).join(" "),
      category: random.pick(categories),
      tags: some(3, () => random.pick(tags)),
      actors: some(3, () => actorList[random.zipf(actorList.length)] ?? "Unnamed"),
      views: Math.floor(Math.exp(4 + 2 * random.normal())),
    });
  }
  return videos;
}
