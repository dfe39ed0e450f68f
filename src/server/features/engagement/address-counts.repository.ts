import { sql } from "kysely";
import type { Trx } from "#server/db/connection.ts";

/** Key of an address group's actions on a video today; see `Visitors.addressGroupKey`. */
export interface AddressKey {
  videoId: string;
  addressGroup: string;
}

type Counted = "plays" | "completions" | "likes";

/** Counts the events of address groups per video, for one batch. The videos are locked. */
export async function readAddressCounts(trx: Trx, counted: Counted, keys: readonly AddressKey[]) {
  const column = sql.ref(counted);
  const counts = new Map<string, { key: AddressKey; count: number }>();
  const taken = new Map<string, AddressKey & { added: number }>();
  const nameOf = ({ videoId, addressGroup }: AddressKey) => `${videoId} ${addressGroup}`;
  if (keys.length > 0) {
    const { rows } = await sql<AddressKey & { count: number }>`
      select video_id as "videoId", address_group as "addressGroup", ${column} as count
      from address_counts join ${given(keys)} using (video_id, address_group)`.execute(trx);
    for (const { count, ...key } of rows) counts.set(nameOf(key), { key, count });
  }
  return {
    /**
     * Counts one more event. @returns its position among today's events of that video and address
     * group.
     */
    take(key: AddressKey): number {
      const name = nameOf(key);
      const entry = counts.get(name) ?? { key, count: 0 };
      entry.count += 1;
      counts.set(name, entry);
      taken.set(name, { ...key, added: (taken.get(name)?.added ?? 0) + 1 });
      return entry.count;
    },
    /** Stores the taken positions. */
    async write(now: Date): Promise<void> {
      if (taken.size === 0) return;
      const list = [...taken.values()];
      await sql`
        insert into address_counts as c (video_id, address_group, ${column}, created_at)
        select video_id, address_group, added, ${now}
        from unnest(
          ${list.map(({ videoId }) => videoId)}::uuid[],
          ${list.map(({ addressGroup }) => addressGroup)}::text[],
          ${list.map(({ added }) => added)}::int[]
        ) as g (video_id, address_group, added)
        order by 1, 2
        on conflict (video_id, address_group) do update
          set ${column} = c.${column} + excluded.${column}`.execute(trx);
    },
  };
}

const given = (keys: readonly AddressKey[]) => sql`(
    select distinct * from unnest(
      ${keys.map(({ videoId }) => videoId)}::uuid[],
      ${keys.map(({ addressGroup }) => addressGroup)}::text[]
    ) as g (video_id, address_group)
  ) wanted`;
