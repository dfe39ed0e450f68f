import { beforeAll, describe, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeDraft, makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { splitWords, toTsquery } from "./search-query.ts";
import { foldTexts } from "./search.repository.ts";
import { nearestWords, typoDistance } from "./typo.ts";

const app = useTestApp({ env: { RESPONSE_CACHE: "0" } });
beforeAll(async () => {
  const { db } = app;
  const category = await makeCategory(db, { name: "Zeppelin" });
  const tag = await makeTag(db, { name: "zeppelin ride" });
  const actor = await makeActor(db, { name: "Zeppelin Smith" });
  await makeVideo(db, { title: "Far away", description: "A zeppelin, a zeppelin and a zeppelin" });
  await makeVideo(db, { title: "By category" }, { categoryIds: [category.id] });
  await makeVideo(db, { title: "By tag" }, { tagIds: [tag.id] });
  await makeVideo(db, { title: "By actor" }, { actorIds: [actor.id] });
  await makeVideo(db, { title: "The Zeppelin" });
  await makeVideo(db, { title: "Mountain Sunrise" });
  await makeVideo(db, { title: "Café Élysée à Genève" });
  await makeVideo(db, { title: "Ночной поезд в Москву" });
  await makeVideo(db, { title: "日本語の動画" });
  await makeVideo(db, { title: "Don't look 🔥 back" });
  await makeDraft(db, { title: "Unfinished symphony" });
});

const find = async (search: string, cookie = "", rest = "") => {
  const response = await createClient(app.url, cookie).call(
    "GET",
    `/api/videos?search=${encodeURIComponent(search)}${rest}`,
  );
  expect(response.status).toBe(200);
  return response.json.videos.map((video: { title: string }) => video.title) as string[];
};

describe("search", () => {
  it("ranks title over actor over tag over category over description", async () => {
    expect(await find("zeppelin")).toEqual([
      "The Zeppelin",
      "By actor",
      "By tag",
      "By category",
      "Far away",
    ]);
  });

  it("finds prefixes while a visitor types", async () => {
    for (const typed of ["mo", "moun", "mountain sun", "sunrise mount"]) {
      expect(await find(typed)).toEqual(["Mountain Sunrise"]);
    }
  });

  it("finds several prefixes together, both of rare and of common words", async () => {
    const endings = [..."abcdefghijklmnopqrst"];
    for (const ending of endings) {
      await makeVideo(app.db, { title: `Kite lesson with quartz${ending}` });
    }
    await makeVideo(app.db, { title: "Kites", description: "Quarrelsome and quartzlike" });
    expect(await find("kit quartzc")).toEqual(["Kite lesson with quartzc"]);
    expect(await find("kit quartz less", "", "&limit=50")).toHaveLength(endings.length);
    // Also finds words that only occur in a description.
    expect(await find("quarrel kit")).toEqual(["Kites"]);
  });

  it.each([
    ["Arabic vowel signs", "قصيدة الشِّعر القديم", ["الشعر", "قصيده"]],
    ["Arabic typed with vowel signs", "سلام على المدينة", ["سَلامٌ", "ســـلام"]],
    ["Persian typed on an Arabic keyboard", "یک روز در کیش", ["يك", "كيش"]],
    ["Arabic typed on a Persian keyboard", "كرسي في مصر", ["کرسی", "كرسى"]],
    ["Urdu typed on an Arabic keyboard", "کہانی ہمارے گھر کی", ["كهاني", "همارے گهر"]],
    ["Hebrew points", "שָׁלוֹם ירושלים", ["שלום", "שָׁלוֹם"]],
    ["words typed together", "猫の昼寝と夕日", ["猫昼寝", "夕日猫", "昼寝"]],
    ["Chinese words in another order", "早餐在北京胡同", ["北京早餐"]],
    ["hiragana for katakana", "カメラとラーメン", ["かめら", "らーめん", "ｶﾒﾗ"]],
    ["Thai words typed together", "แมวนอนกลางวัน", ["แมวกลางวัน", "กลางวัน"]],
    ["Korean particles", "산의 아침 안개", ["산과", "산에서", "안개는"]],
    ["Korean nouns typed together", "서울의 밤거리 산책", ["서울밤거리", "밤거리서울"]],
    ["parts of a compound", "Die Donaudampfschifffahrt beginnt", ["schifffahrt", "dampfschiff"]],
  ])("finds %s", async (_, title, searches) => {
    const { id } = await makeVideo(app.db, { title });
    for (const search of searches) {
      expect([search, await find(search)]).toEqual([search, [title]]);
    }
    await app.db.deleteFrom("videos").where("id", "=", id).execute();
  });

  it.each([
    ["L'amour à Paris", ["amour", "l'amour", "l’amour paris"]],
    ["Qu’est-ce que l’hiver ?", ["hiver", "est ce"]],
    ["D'ÉTÉ, jusqu'à l'aube", ["ete", "aube", "a l'aube"]],
    ["Un'altra città dell'acqua", ["altra", "acqua", "dell'acqua", "un altra"]],
    ["Five o'clock, isn't it?", ["oclock", "o'clock", "isnt"]],
    ["Aujourd'hui", ["aujourdhui", "aujourd’hui"]],
  ])("finds %s by its words, also if another title has them", async (title, searches) => {
    const titles = [title, searches.join(" - ")];
    const added = [];
    for (const each of titles) added.push((await makeVideo(app.db, { title: each })).id);
    for (const search of searches) {
      expect([search, (await find(search)).toSorted()]).toEqual([search, titles.toSorted()]);
    }
    await app.db.deleteFrom("videos").where("id", "in", added).execute();
  });

  it.each(["mountian", "muontain", "mountan", "mountainn", "nountain", "sunrize"])(
    "forgives %s",
    async (typo) => {
      expect(await find(typo)).toEqual(["Mountain Sunrise"]);
    },
  );

  it.each([
    ["U.F.O. over Rome", ["ufo", "u.f.o.", "UFO rome"]],
    ["USA road trip", ["u.s.a. road", "U.S.A", "usa"]],
    ["Фильм о С.С.С.Р.", ["ссср"]],
    ["Version 3.5 of node.js", ["3 5", "node", "js"]],
  ])("finds %s with and without dots", async (title, searches) => {
    const { id } = await makeVideo(app.db, { title });
    for (const search of searches) {
      expect([search, await find(search)]).toEqual([search, [title]]);
    }
    await app.db.deleteFrom("videos").where("id", "=", id).execute();
  });

  it("finds initials with and without dots and spaces", async () => {
    const titles = ["J. J. Abrams", "J.J. Abrams", "JJ Abrams"];
    const added = [];
    for (const title of titles) added.push((await makeVideo(app.db, { title })).id);
    for (const search of [...titles, "j. j.", "abrams jj", "j j abrams"]) {
      expect([search, (await find(search)).toSorted()]).toEqual([search, titles]);
    }
    await app.db.deleteFrom("videos").where("id", "in", added).execute();
  });

  it("keeps other dots as separators of words", async () => {
    const texts = ["Mr. T. Smith", "A. B", "Vitamin C. D is next", "node.js 3.5"];
    const folded = ["mr t smith", "a b", "vitamin c d is next", "node js 3 5"];
    expect(await foldTexts(app.db, texts)).toEqual(folded);
  });

  it.each([
    ["Harbour s01e04", ["s01e05"]],
    ["Harbour s12e3", ["s1e23"]],
    ["PS4 in GTA4", ["ps5", "gta5"]],
    ["iPhone14 at 1088p", ["iphone15", "1080p", "iphnoe15"]],
  ])("doesn't correct a number to a different one in %s", async (title, others) => {
    const { id } = await makeVideo(app.db, { title });
    for (const other of others) expect([other, await find(other)]).toEqual([other, []]);
    await app.db.deleteFrom("videos").where("id", "=", id).execute();
  });

  it("corrects a typo in a word with a number", async () => {
    await makeVideo(app.db, { title: "iPhone15 review" });
    expect(await find("iphnoe15")).toEqual(["iPhone15 review"]);
  });

  it("corrects a typo in a label and a missing space", async () => {
    expect(await find("zepelin smith")).toEqual(["By actor"]);
    expect(await find("mountainsunrise")).toEqual(["Mountain Sunrise"]);
  });

  it("ignores accents in queries and titles and handles other scripts and signs", async () => {
    for (const typed of ["cafe elysee", "CAFÉ", "Geneve", "ge\u0301ne\u0300ve"]) {
      expect(await find(typed)).toEqual(["Café Élysée à Genève"]);
    }
    expect(await find("поезд")).toEqual(["Ночной поезд в Москву"]);
    expect(await find("НОЧНОЙ ПОЕЗД")).toEqual(["Ночной поезд в Москву"]);
    for (const typed of ["動画", "日本 動画"]) expect(await find(typed)).toEqual(["日本語の動画"]);
    expect(await find("画動")).toEqual([]);
    expect(await find("dont look")).toEqual(["Don't look 🔥 back"]);
    expect(await find("🔥")).toEqual(["Don't look 🔥 back"]);
  });

  it("folds plain words the same way with and without the database", async () => {
    const texts = ["Harbour", "QUIET harbour 2", "a", "4K"];
    const folded = await foldTexts(app.db, texts);
    expect(folded).toEqual(["harbour", "quiet harbour 2", "a", "4k"]);
    // If one of them has an accent, the database folds all of them.
    expect(await foldTexts(app.db, [...texts, "É"])).toEqual([...folded, "e"]);
  });

  it("finds videos by a new title, a renamed label and after publication at once", async () => {
    const { db } = app;
    const tag = await makeTag(db, { name: "quokka" });
    const video = await makeVideo(db, { title: "Before" }, { tagIds: [tag.id] });
    expect(await find("quokka")).toEqual(["Before"]);
    await db.updateTable("tags").set({ name: "wombat" }).where("id", "=", tag.id).execute();
    await changeVideo(db, video.id, { title: "Afterwards" });
    expect(await find("quokka")).toEqual([]);
    expect(await find("wombat afterwards")).toEqual(["Afterwards"]);
    await changeVideo(db, video.id, { is_published: false });
    expect(await find("wombat")).toEqual([]);
  });

  it("shows drafts to admins only", async () => {
    const cookie = await app.signIn();
    expect(await find("unfinished")).toEqual([]);
    expect(await find("unfinished", cookie)).toEqual(["Unfinished symphony"]);
    expect(await find("unfinished", cookie, "&published=true")).toEqual([]);
  });

  it("finds nothing for punctuation and never fails", async () => {
    for (const search of [
      "!!!",
      "' or 1=1 --",
      "%",
      "_",
      "\\",
      "a:*",
      "& | ! <-> ( )",
      "'''",
      "*",
      "\u2060",
      "\u202e",
      "x".repeat(200),
      "a ".repeat(100),
      "1e5 0x1f 2x4",
    ]) {
      const response = await createClient(app.url).call(
        "GET",
        `/api/videos?search=${encodeURIComponent(search)}`,
      );
      expect([search, response.status]).toEqual([search, 200]);
    }
    expect(await find("!!!")).toEqual([]);
    for (const search of ["a%00b", "%00"]) {
      const response = await createClient(app.url).call("GET", `/api/videos?search=${search}`);
      expect(response.status).toBe(400);
      const suggest = await createClient(app.url).call("GET", `/api/search/suggest?q=${search}`);
      expect(suggest.status).toBe(400);
    }
    const long = await createClient(app.url).call("GET", `/api/videos?search=${"x".repeat(201)}`);
    expect(long.status).toBe(400);
  });
});

describe("search intent", () => {
  beforeAll(async () => {
    const { db } = app;
    const actor = await makeActor(db, { name: "Uma Roy" });
    await makeVideo(db, { title: "The Hollow Moon", duration_s: 30, width: 640, height: 360 });
    await makeVideo(db, { title: "Hollow Harbour", duration_s: 600, width: 1080, height: 1920 });
    await makeVideo(db, { title: "Moon above the Hollow", duration_s: 5000 });
    await makeVideo(db, { title: "Lanterns II" }, { actorIds: [actor.id] });
    await makeVideo(db, { title: "Twenty One Candles" });
    for (const title of ["Забытый мячик", "Тихий дядя"]) await makeVideo(db, { title });
    await makeVideo(db, { title: "서울의 밤" });
    await makeVideo(db, { title: "البيت الكبير" });
    for (const title of [
      ...["東京タワーの夜景", "黄山日出", "猫の昼寝", "الحلقة ٣", "산과 바다", "바다의 노래"],
      ...["Kirschblütenfest in Bonn", "Weihnachten in Bonn"],
    ]) {
      await makeVideo(db, { title });
    }
  });

  it("leaves out words after a minus, and matches quotes literally", async () => {
    expect(await find("hollow -moon")).toEqual(["Hollow Harbour"]);
    expect(await find("-moon")).toContain("The Hollow Moon");
    expect(await find('"hollow moon"')).toEqual(["The Hollow Moon"]);
    expect(await find('moon -"the hollow"')).toEqual([]);
    expect(await find('hollow -"hollow moon" -harbour')).toEqual(["Moon above the Hollow"]);
    for (const odd of ['"', '""', '-"', "- -", '-""', '"moon', "--moon", '"!" -?']) await find(odd);
  });

  it.each([
    ['27"-Monitor Test', '27" Monitor im Test'],
    ['24" vs 27" monitor', 'Monitors: 24" or 27", office vs home'],
    ['"Star Wars"-Film', "Film: Star Wars"],
    ["„Tatort“-Folge 12", "Tatort, Folge 12"],
    ['3"-thick steak', 'Grilling a thick steak of 3"'],
    ["ffmpeg --help", "Help with ffmpeg"],
    ['ארה"ב וצה"ל', 'וצה"ל עם ארה"ב'],
    ['24"-27" monitr', 'Monitor, 24" to 27"'],
  ])("reads quotes and hyphens in %s as separators", async (typed, title) => {
    const { id } = await makeVideo(app.db, { title });
    expect(await find(typed)).toContain(title);
    await app.db.deleteFrom("videos").where("id", "=", id).execute();
  });

  it.each(['("hollow moon")', 'title:"hollow moon"', "“Hollow Moon”,“The Hollow”"])(
    "finds the phrases of %s",
    async (typed) => {
      const { id } = await makeVideo(app.db, { title: "Moon above the hollow title" });
      expect(await find(typed)).not.toContain("Moon above the hollow title");
      await app.db.deleteFrom("videos").where("id", "=", id).execute();
    },
  );

  it("reads numbers in digits, words and Roman numerals", async () => {
    for (const typed of ["lanterns 2", "lanterns two", "Lanterns ii"]) {
      expect(await find(typed)).toEqual(["Lanterns II"]);
    }
    expect(await find("21 candles")).toEqual(["Twenty One Candles"]);
    expect(await find("lanterns 3")).toEqual([]);
  });

  it.each([
    ["hollow mon", "The Hollow Moon"],
    ["hollwo harb", "Hollow Harbour"],
    ["holow harbuor", "Hollow Harbour"],
    ["hollowharbour", "Hollow Harbour"],
    ["lan terns two", "Lanterns II"],
    ["hollow harbour trailer", "Hollow Harbour"],
    ["uma toy", "Lanterns II"],
    ["nochnoy poezd", "Ночной поезд в Москву"],
    ["zabytyy myachik", "Забытый мячик"],
    ["tixij djadja", "Тихий дядя"],
    ["서울의밤", "서울의 밤"],
    ["بيت كبير", "البيت الكبير"],
    // A word that no video has, or a particle that the title doesn't have.
    ["東京タワーの夜景 動画", "東京タワーの夜景"],
    ["猫の昼寝 視頻", "猫の昼寝"],
    ["黄山的日出", "黄山日出"],
    ["الحلقة 3", "الحلقة ٣"],
    ["바다와 산", "산과 바다"],
    ["blueten bonn", "Kirschblütenfest in Bonn"],
  ])("finds the intended videos with %s", async (typed, title) => {
    expect((await find(typed))[0]).toBe(title);
  });

  it("finds videos with one of two words if none has both, even with long titles", async () => {
    const title = "A very long story about a walrus that went to see the sea at night";
    await makeVideo(app.db, { title });
    await makeVideo(app.db, { title: "Trombone" });
    expect((await find("walrus trombone")).toSorted()).toEqual([title, "Trombone"]);
  });

  it("leaves out several common words, but no rare one", async () => {
    for (const n of [1, 2, 3, 4, 5, 6]) {
      await makeVideo(app.db, { title: `Official gardening tutorial, lesson ${n}` });
      await makeVideo(app.db, { title: `Streaming premiere interview number ${n}` });
    }
    const wanted = "Building runtimes with noflo";
    await makeVideo(app.db, { title: wanted });
    for (const typed of [
      "official building runtimes with noflo",
      "building official runtimes with noflo",
      "official tutorial noflo runtimes",
      "streaming official tutorial premiere noflo runtimes",
      "noflo runtimes 1987",
    ]) {
      expect([typed, (await find(typed))[0]]).toEqual([typed, wanted]);
    }
  });

  it("ranks an actor who has all words of a name before two actors who share them", async () => {
    const addCast = async (title: string, names: string[]) => {
      const actors = await Promise.all(names.map((name) => makeActor(app.db, { name })));
      await makeVideo(app.db, { title }, { actorIds: actors.map(({ id }) => id) });
    };
    await addCast("Alone", ["Chiara Maria Castellano"]);
    await addCast("Together", ["Chiara Nakamura", "Bruno Castellano"]);
    for (const typed of [
      "chiara castellano",
      "castellano chiara",
      "chiara castel",
      "chiarra castellano",
    ]) {
      expect([typed, await find(typed)]).toEqual([typed, ["Alone", "Together"]]);
    }
  });

  it("reports a corrected search, and nothing for a correct one", async () => {
    const meant = async (typed: string) =>
      (await createClient(app.url).call("GET", `/api/videos?search=${encodeURIComponent(typed)}`))
        .json.didYouMean as string | undefined;
    expect(await meant("hollwo harbour")).toBe("hollow harbour");
    expect(await meant("hollowharbour")).toBe("hollow harbour");
    expect(await meant("hollow harbour trailer")).toBe("hollow harbour");
    expect(await meant("nochnoy poezd")).toBe("ночной поезд");
    expect(await meant("hollow harb")).toBeUndefined();
    expect(await meant("lanterns 2")).toBeUndefined();
  });

  it("filters by length, date and quality, alone and with words", async () => {
    const old = new Date(Date.now() - 40 * 24 * 3600 * 1000);
    await makeVideo(app.db, { title: "Hollow archive", published_at: old });
    expect(await find("hollow", "", "&length=short&quality=hd&date=month")).toEqual([]);
    expect(await find("hollow", "", "&length=short&date=month")).toEqual(["The Hollow Moon"]);
    expect(await find("hollow", "", "&length=medium")).toEqual(["Hollow Harbour"]);
    expect(await find("hollow", "", "&length=long&sort=newest")).toEqual(["Moon above the Hollow"]);
    expect(await find("hollow", "", "&quality=full_hd&sort=most_viewed")).toEqual([
      "Hollow Harbour",
    ]);
    expect(await find("hollow", "", "&date=month")).not.toContain("Hollow archive");
    expect(await find("hollwo", "", "&date=year&length=short")).toContain("Hollow archive");
    expect(await find("", "", "&length=long")).toEqual(["Moon above the Hollow"]);
    const { status } = await createClient(app.url).call("GET", "/api/videos?length=endless");
    expect(status).toBe(400);
  });
});

describe("suggestions", () => {
  const suggest = async (q: string) =>
    (await createClient(app.url).call("GET", `/api/search/suggest?q=${encodeURIComponent(q)}`)).json
      .suggestions as { kind: string; text: string; slug: string }[];

  it("suggests at most eight titles, tags, actors and categories", async () => {
    const list = await suggest("zep");
    expect(list.map((item) => item.kind).toSorted()).toEqual(["actor", "category", "tag", "title"]);
    expect(list.find((item) => item.kind === "actor")).toMatchObject({
      text: "Zeppelin Smith",
      slug: "zeppelin-smith",
    });
    expect((await suggest("b")).length).toBeLessThanOrEqual(8);
  });

  it("suggests labels with the text inside, also in scripts without spaces", async () => {
    const names = ["大阪城公園", "Old zoetrope"];
    const tagIds = [];
    for (const name of names) tagIds.push((await makeTag(app.db, { name })).id);
    await makeVideo(app.db, { title: "Walk" }, { tagIds });
    for (const [typed, text] of [
      ["公園", "大阪城公園"],
      ["zoet", "Old zoetrope"],
    ] as const) {
      expect(await suggest(typed)).toEqual([expect.objectContaining({ kind: "tag", text })]);
    }
  });

  it("corrects a typo and suggests no drafts or unused labels", async () => {
    await makeTag(app.db, { name: "zeppelin unused" });
    expect((await suggest("mountian")).map((item) => item.text)).toEqual(["Mountain Sunrise"]);
    expect(await suggest("unfinished")).toEqual([]);
    expect((await suggest("zeppelin unused")).map((item) => item.text)).not.toContain(
      "zeppelin unused",
    );
    expect((await suggest("mountian s")).map((item) => item.text)).toEqual(["Mountain Sunrise"]);
    expect((await suggest("zepelin sm"))[0]).toMatchObject({
      kind: "actor",
      text: "Zeppelin Smith",
    });
    expect(await suggest("")).toEqual([]);
    expect(await suggest("?!")).toEqual([]);
  });
});

describe("queries and typos", () => {
  it("leaves quoted text unchanged", () => {
    expect(toTsquery([[{ text: "it's" }], [{ text: "b\\" }]], { isPrefix: true })).toBe(
      "'its':* & 'b'",
    );
    expect(toTsquery([[{ text: "ab" }, { text: "cd" }]], { isPrefix: false })).toBe(
      "('ab' | 'cd')",
    );
    expect(toTsquery([[{ text: "日\u2060本" }]], { isPrefix: true, fields: "AB" })).toBe(
      "('日':AB <-> '本':*AB)",
    );
    const mount = { text: "mount", completions: ["mountain"] };
    expect(toTsquery([[mount]], { isPrefix: true, isTiered: true })).toBe(
      "('@/mount' | '@/mountain')",
    );
    expect(toTsquery([[mount]], { isPrefix: false })).toBe("'mount'");
    expect(splitWords("a b a  c")).toEqual(["a", "b", "c"]);
  });
  it("counts swapped letters as one typo", () => {
    expect(typoDistance("mountian", "mountain", 2)).toBe(1);
    expect(typoDistance("kitten", "sitting", 3)).toBe(3);
    expect(typoDistance("abc", "abcdef", 2)).toBe(3);
    const known = ["brawn", "crown", "brown"].map((word) => ({ word, romanised: word }));
    expect(nearestWords("brwon", known)[0]).toEqual({ word: "brown", distance: 1 });
  });
});
