import { sql } from "kysely";
import type { Actor } from "#server/features/audit/audit.service.ts";
import { clipsBody, type ClipInput } from "#contract/videos/clips.ts";
import type { CaptionsService } from "#server/features/captions/captions.service.ts";
import type { LabelsService } from "#server/features/labels/labels.service.ts";
import type { ClipsService } from "#server/features/clips/clips.service.ts";
import type { OwnPagesService } from "#server/features/settings/own-pages.service.ts";
import type { PassesService } from "#server/features/passes/passes.service.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { publishVideos } from "#server/features/videos/publishing/publish-videos.ts";
import { removeVideos } from "#server/features/videos/trash/remove-videos.ts";
import { newId } from "#server/lib/ids.ts";
import type { ClipSpec } from "./clip.ts";

export interface SiteLifeDeps {
  db: Db;
  labels: LabelsService;
  captions: CaptionsService;
  passes: PassesService;
  clips: ClipsService;
  ownPages: OwnPagesService;
}

const actor: Actor = { user: { id: null, email: "demo" }, requestId: "demo" };

/** Number of days with statistics. */
const historyDays = 90;

/** Series of the catalogue: tags whose videos have an order. */
const series = ["night walks", "rules and patterns", "sea studies"];

/** Lines of captions by slug, evenly spread over the clip. */
const spoken: Record<string, readonly string[]> = {
  "piano-for-an-empty-room": [
    "The room has been empty since the summer.",
    "One key at a time, the echo comes back.",
    "Nobody asked for an encore.",
    "The last note stays until the light goes.",
  ],
  "mandala-for-the-night-bus": [
    "Line 41, the last one before the depot.",
    "Every window folds the street once more.",
    "Get off when the pattern repeats.",
  ],
  "pool-four-in-the-afternoon": [
    "Four in the afternoon, and nobody swims.",
    "The sun draws a net on the floor of the pool.",
    "It never draws the same net twice.",
  ],
};

/** Passages that become clips for the feed, by the slug of their video. */
const passages: ({ of: string } & ClipInput)[] = [
  {
    of: "the-sea-remembers-green",
    title: "Green, Eighteen Seconds of It",
    startS: 30,
    endS: 48,
    framing: { kind: "crop", window: { from: { x: 0.3, y: 0.5 } } },
    thumbnailS: 36,
  },
];

const aboutPage = {
  address: "about-lantern",
  place: "footer",
  isPublished: true,
  isIndexed: true,
  texts: {
    en: {
      title: "About Lantern",
      markdown:
        "Lantern shows short moving pictures that nobody filmed. **Formulas draw them**, one frame at a time.\n\n## Use them\n\nLoop them in a shop window, behind a band, or beside your desk.",
    },
  },
} as const;

const names = ["Noor", "Tomasz", "Ines", "Kofi", "Greta", "Yusuf", "Mina", null];
const remarks = [
  "I could watch this for an hour. Actually, I did.",
  "The loop is so clean that I missed the start.",
  "What is the music? It fits perfectly.",
  "My two-year-old calls this one “the soft fire”.",
  "Used it as a backdrop in our shop window, thank you!",
  "Is there a longer version for a projector?",
  "The colors at the very end are lovely.",
  "Better than my screen saver.",
  "Came for ten seconds, stayed for the whole series.",
  "Please make one with rain.",
];

const members = [
  { note: "Noor Haddad, yearly", email: "noor@example.com", days: 310 },
  { note: "Studio Lindqvist, five seats", email: "hello@lindqvist.example", days: 190 },
  { note: "Kofi Mbeki, monthly", email: "kofi@example.com", days: 21 },
  { note: "Prize of the spring raffle", email: null, days: 60 },
];

const invitations = [
  { email: "ines@lantern.example", role: "EDITOR" },
  { email: "tomasz@lantern.example", role: "MODERATOR" },
] as const;

const referrals = [
  { code: "newsletter", name: "Newsletter", target: "/trending", visitsPerDay: 41 },
  {
    code: "sea-museum",
    name: "Sea museum, QR code at the door",
    target: "/tags/sea-studies",
    visitsPerDay: 17,
  },
  { code: "podcast-12", name: "Interview, episode 12", target: "/", visitsPerDay: 8 },
];

/** Campaigns of the ads, by the title of the ad. */
const campaigns = [
  {
    advertiser: "Lanternworks",
    contact: "orders@lanternworks.example",
    name: "Lamps for long evenings",
    ads: ["Lanternworks", "Lanternworks by Night"],
    goal: 400_000,
    priceMicros: 4_500_000,
  },
  {
    advertiser: "Tidewater Atlas",
    contact: "press@tidewater.example",
    name: "The moving map",
    ads: ["Tidewater Atlas", "Tidewater Atlas, the Film"],
    goal: 250_000,
    priceMicros: 6_000_000,
  },
  {
    advertiser: "Slow Post",
    contact: null,
    name: "Spring issue",
    ads: ["Slow Post, Spring Issue"],
    goal: 120_000,
    priceMicros: 3_000_000,
  },
];

/**
 * Fills the screens that would be empty with videos alone: description and comments, series,
 * captions, members, campaigns, reports, referrals, trash, and statistics of 90 days. A second run
 * changes nothing.
 */
export async function addSiteLife(deps: SiteLifeDeps, clips: readonly ClipSpec[]): Promise<void> {
  const { db } = deps;
  await fillTrash(
    db,
    clips.filter(({ isRemoved = false }) => isRemoved),
  );
  await db.transaction().execute(async (trx) => {
    await describeSite(trx);
    await addComments(trx);
    await addReports(trx);
    await addReferrals(trx);
    await addInvitations(trx);
    await addCampaigns(trx);
    await addAudience(trx);
  });
  await addSeries(deps);
  await addCaptions(deps);
  await addMembers(deps);
  await addPage(deps);
  await addFeedClips(deps);
}

async function describeSite(trx: Trx): Promise<void> {
  await sql`
    update settings set
      site_name = coalesce(site_name, 'Lantern'),
      site_description = coalesce(site_description, 'Short moving pictures, made of numbers and light.'),
      comments = 'open', premium_access = 'members', members_in_feed = true`.execute(trx);
}

async function addComments(trx: Trx): Promise<void> {
  await sql`
    insert into comments (id, video_id, visitor_id, name, text, state, created_at)
    select gen_random_uuid(), v.id, gen_random_uuid(),
      (${names}::text[])[1 + (v.n * 3 + k) % ${names.length}],
      (${remarks}::text[])[1 + (v.n * 7 + k * 3) % ${remarks.length}], 'shown',
      now() - (now() - v.published_at) * (0.15 + 0.2 * k)
    from (select *, row_number() over (order by views desc) as n from videos where is_published) v,
      generate_series(0, 3) k
    where k < 1 + v.n % 4 and not exists (select from comments c where c.video_id = v.id)`.execute(
    trx,
  );
  await sql`
    insert into comments (id, video_id, visitor_id, name, text, state, created_at)
    select gen_random_uuid(), v.id, gen_random_uuid(), name, text, 'held', now() - age
    from (select id, row_number() over (order by views) as n from videos where is_published) v
    join (values
      (1, 'Greta', 'More like this on my channel: moving-lights.example', interval '40 minutes'),
      (2, null, 'First!!! Subscribe back please', interval '7 hours'))
      as given (n, name, text, age) using (n)
    where not exists (select from comments where state = 'held')`.execute(trx);
}

async function addReferrals(trx: Trx): Promise<void> {
  for (const { visitsPerDay, ...referral } of referrals) {
    const added = await trx
      .insertInto("referrals")
      .values({ id: newId(), ...referral })
      .onConflict((conflict) => conflict.column("code").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (added === undefined) continue;
    await sql`
      insert into referral_stats_daily (referral_id, day, visits, unique_visitors, plays)
      select ${added.id}::uuid, day, visits, (visits * 0.8)::int, (visits * 1.6)::int
      from generate_series(current_date - 29, current_date, '1 day') day
      cross join lateral (
        select (${visitsPerDay}::int * (0.6 + abs(hashtext(${referral.code} || day::text)) % 80 / 100.0))::int
      ) of_day (visits)`.execute(trx);
  }
}

async function addInvitations(trx: Trx): Promise<void> {
  for (const { email, role } of invitations) {
    await sql`
      insert into invitations (id, email, role, token_hash, expires_at)
      values (${newId()}, ${email}, ${role}, sha256(gen_random_uuid()::text::bytea),
        now() + interval '6 days')
      on conflict do nothing`.execute(trx);
  }
}

async function fillTrash(db: Db, clips: readonly ClipSpec[]): Promise<void> {
  const titles = clips.map(({ title }) => title);
  if (titles.length === 0) return;
  await db.transaction().execute(async (trx) => {
    const rows = await trx.selectFrom("videos").select("id").where("title", "in", titles).execute();
    const ids = rows.map(({ id }) => id);
    await removeVideos(trx, ids, actor);
  });
}

async function addReports(trx: Trx): Promise<void> {
  await sql`
    insert into reports (id, kind, video_id, video_title, video_slug, reason, text, state, created_at)
    select gen_random_uuid(), 'report', id, title, slug, reason, text, state, now() - age
    from (select id, title, slug, row_number() over (order by slug) as n from videos where is_published) v
    join (values
      (2, 'other', 'The flashing is hard on my eyes. Could it have a warning?', 'open', interval '5 hours'),
      (5, 'other', 'This is listed twice in the series.', 'in_review', interval '2 days'))
      as given (n, reason, text, state, age) using (n)
    where not exists (select from reports)`.execute(trx);
}

async function addCampaigns(trx: Trx): Promise<void> {
  for (const campaign of campaigns) {
    const known = await trx
      .selectFrom("advertisers")
      .select("id")
      .where("name", "=", campaign.advertiser)
      .executeTakeFirst();
    if (known !== undefined) continue;
    const [advertiserId, id] = [newId(), newId()];
    await trx
      .insertInto("advertisers")
      .values({ id: advertiserId, name: campaign.advertiser, contact: campaign.contact })
      .execute();
    await sql`
      insert into campaigns (id, advertiser_id, name, starts_at, ends_at, goal, goal_amount,
        price_model, price_micros, currency)
      values (${id}, ${advertiserId}, ${campaign.name}, now() - interval '40 days',
        now() + interval '20 days', 'impressions', ${campaign.goal}, 'cpm', ${campaign.priceMicros},
        'EUR')`.execute(trx);
    await sql`update ads set campaign_id = ${id} where title = any(${campaign.ads}::text[])`.execute(
      trx,
    );
  }
  await addAdStatistics(trx);
}

/** Adds impressions and clicks per day and ad, more on weekends, and their totals. */
async function addAdStatistics(trx: Trx): Promise<void> {
  await sql`
    insert into ad_stats_daily (ad_id, day, placement, impressions, verified_impressions, viewable,
      clicks, verified_clicks, starts, first_quartiles, midpoints, third_quartiles, completes)
    select id, day, placement, shown, shown, (shown * 0.71)::int, clicked, clicked,
      begun, (begun * 0.9)::int, (begun * 0.78)::int, (begun * 0.69)::int, (begun * 0.6)::int
    from (
      select a.id, a.placement, day::date,
        round(seen)::int as shown, round(seen * rate)::int as clicked,
        case when a.type = 'video' then round(seen)::int else 0 end as begun
      from (select *, abs(hashtext(title)) as n from ads) a
      cross join generate_series(current_date - ${sql.lit(historyDays - 1)}, current_date, '1 day') day
      cross join lateral (
        select (700 + a.n % 1900)
            * (1 + 0.35 * (extract(isodow from day) >= 6)::int)
            * (0.75 + abs(hashtext(a.title || day::text)) % 500 / 1000.0) as seen,
          0.004 + a.n % 17 / 2000.0 as rate) of_day
    ) counted
    on conflict do nothing`.execute(trx);
  await sql`
    update ads a set impressions = s.shown, verified_impressions = s.shown, clicks = s.clicked,
      verified_clicks = s.clicked
    from (
      select ad_id, sum(impressions) as shown, sum(clicks) as clicked from ad_stats_daily group by 1
    ) s where s.ad_id = a.id`.execute(trx);
  await sql`
    insert into campaign_days (campaign_id, day, currency, micros)
    select c.id, d.day, c.currency, round(sum(d.impressions) * c.price_micros / 1000.0)::bigint
    from ad_stats_daily d join ads a on a.id = d.ad_id join campaigns c on c.id = a.campaign_id
    where d.day >= c.starts_at group by 1, 2, 3, c.price_micros
    on conflict do nothing`.execute(trx);
  await sql`
    insert into ad_requests_daily (day, placement, requests, filled, robot_requests)
    select day, placement, round(sum(impressions) * 1.24), sum(impressions), sum(impressions) / 60
    from ad_stats_daily group by 1, 2 on conflict do nothing`.execute(trx);
  await sql`
    update campaigns c set impressions = s.shown, viewable = s.viewable, clicks = s.clicked
    from (
      select a.campaign_id, sum(d.impressions) as shown, sum(d.viewable) as viewable,
        sum(d.clicks) as clicked
      from ad_stats_daily d join ads a on a.id = d.ad_id join campaigns k on k.id = a.campaign_id
      where d.day >= k.starts_at group by 1
    ) s where s.campaign_id = c.id`.execute(trx);
}

/** Adds watched parts, countries, devices and origins of plays, per video and for the site. */
async function addAudience(trx: Trx): Promise<void> {
  const plays = sql`
    select h.video_id, h.hour::date as day, sum(h.views)::int as plays
    from video_stats_hourly h group by 1, 2 having sum(h.views) > 0`;
  // Viewers leave faster at the start, and replay one part.
  await sql`
    insert into video_bins (video_id, day, plays, watched, replayed)
    select video_id, day, plays,
      (select array_agg(round(plays * (0.38 + 0.62 * exp(-n / 34.0)))::int order by n)
        from generate_series(0, 99) n),
      (select array_agg(round(plays * 0.16 * exp(-((n - 40 - abs(hashtext(video_id::text)) % 40) ^ 2) / 60.0))::int order by n)
        from generate_series(0, 99) n)
    from (${plays}) p where plays > 4 on conflict do nothing`.execute(trx);
  await sql`
    insert into site_bins (day, plays, watched, replayed)
    select day, sum(plays), sum_bins(watched), sum_bins(replayed) from video_bins group by day
    on conflict do nothing`.execute(trx);
  await sql`
    insert into video_sources (video_id, day, kind, name, plays)
    select video_id, day, kind, name, greatest(1, (plays * share)::int)
    from (${plays}) p cross join (values
      ('origin', 'feed', 0.46), ('origin', 'lists', 0.24), ('origin', 'search', 0.12),
      ('origin', 'related', 0.13), ('origin', 'referral', 0.05),
      ('device', 'phone', 0.62), ('device', 'desktop', 0.29), ('device', 'tablet', 0.09),
      ('country', 'DE', 0.31), ('country', 'US', 0.27), ('country', 'BR', 0.16),
      ('country', 'JP', 0.14), ('country', 'PL', 0.12)) as shares (kind, name, share)
    where plays > 4 on conflict do nothing`.execute(trx);
  await sql`
    insert into site_sources (day, kind, name, plays)
    select day, kind, name, sum(plays) from video_sources group by 1, 2, 3
    on conflict do nothing`.execute(trx);
}

async function addSeries({ db, labels }: SiteLifeDeps): Promise<void> {
  for (const name of series) {
    const tag = await db
      .selectFrom("tags")
      .select(["id", "is_series"])
      .where("name", "=", name)
      .executeTakeFirst();
    if (tag?.is_series === false) await labels.update("tags", tag.id, { isSeries: true }, actor);
  }
}

async function addCaptions({ db, captions }: SiteLifeDeps): Promise<void> {
  for (const [slug, lines] of Object.entries(spoken)) {
    const video = await db
      .selectFrom("videos")
      .select(["id", "duration_s"])
      .where("slug", "=", slug)
      .executeTakeFirst();
    if (video === undefined) continue;
    const stepS = video.duration_s / lines.length;
    const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
    const cues = lines.map(
      (line, at) => `${time(at * stepS + 0.3)} --> ${time((at + 1) * stepS - 0.3)}\n${line}\n`,
    );
    const file = new TextEncoder().encode(`WEBVTT\n\n${cues.join("\n")}`);
    const given = { language: "en", name: "", isDefault: false, isForced: false };
    await captions.add(video.id, file, given, actor, { unlessPresent: true });
  }
}

/** Adds passes. A repeated reference returns the existing pass. */
async function addMembers({ passes }: SiteLifeDeps): Promise<void> {
  for (const [at, member] of members.entries()) {
    await passes.create({ ...member, devices: 3, reference: `demo-${at + 1}` }, actor);
  }
}

async function addPage({ ownPages }: SiteLifeDeps): Promise<void> {
  const { address } = aboutPage;
  const isThere = (await ownPages.list()).some((page) => page.address === address);
  if (!isThere) await ownPages.save(null, aboutPage, actor);
}

async function addFeedClips({ db, clips }: SiteLifeDeps): Promise<void> {
  for (const { of, ...passage } of passages) {
    const long = await db
      .selectFrom("videos as v")
      .select("id")
      .where("slug", "=", of)
      .where("status", "=", "ready")
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("videos as c").select("c.id").whereRef("c.clip_of", "=", "v.id"))),
      )
      .executeTakeFirst();
    if (long === undefined) continue;
    const made = await clips.create(long.id, clipsBody.parse({ clips: [passage] }), actor);
    await db.transaction().execute((trx) =>
      publishVideos(
        trx,
        made.map(({ id }) => id),
        { at: new Date(), actor },
      ),
    );
  }
}
