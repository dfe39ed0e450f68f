import { z } from "zod";
import type { Random } from "../reference/random.ts";

const maxPerKind = 40;
const record = z.record(z.string(), z.unknown());

/** Response fields whose values later calls send, with the kind under which they are stored. */
const harvested: Readonly<Record<string, string>> = {
  nextCursor: "cursor",
  serve: "serve",
  version: "version",
  code: "ref",
};

/** Ids and tokens from earlier responses, so that calls reach existing rows. */
export interface KnownValues {
  add(kind: string, value: string | number): void;
  remove(kind: string, value: string): void;
  pick(kind: string, random: Random): string | number | null;
  /** Collects ids and names from a JSON response of this path. */
  harvest(path: string, json: unknown): void;
}

const aliases: Readonly<Record<string, string>> = {
  spots: "ads",
  feed: "videos",
  embed: "videos",
  video: "videos",
  media: "media",
};

/** Returns the kind of ids in a path, such as `videos` for `/api/admin/videos/{id}`. */
export function kindOf(path: string): string {
  const parts = path
    .split(/[/?]/)
    .filter((part) => part !== "" && part !== "api" && part !== "admin");
  const kind = parts[0] ?? "";
  return aliases[kind] ?? kind;
}

export function createKnownValues(): KnownValues {
  const values = new Map<string, (string | number)[]>();

  function add(kind: string, value: string | number): void {
    const list = values.get(kind) ?? [];
    if (list.includes(value)) return;
    list.push(value);
    // The first values belong to rows that are never deleted.
    if (list.length > maxPerKind) list.splice(maxPerKind / 2, 1);
    values.set(kind, list);
  }

  function visit(kind: string, value: unknown, depth: number): void {
    if (depth > 3) return;
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 3)) visit(kind, item, depth + 1);
      return;
    }
    const fields = record.safeParse(value);
    if (!fields.success) return;
    for (const [name, field] of Object.entries(fields.data)) {
      const isPlain = typeof field === "string" || typeof field === "number";
      if (isPlain && (name === "id" || name === "slug")) add(kind, field);
      else if (isPlain && harvested[name] !== undefined) add(harvested[name], field);
      else if (name === "category") visit("categories", field, depth + 1);
      else if (name === "tag") visit("tags", field, depth + 1);
      else if (name === "actor") visit("actors", field, depth + 1);
      else visit(kind, field, depth + 1);
    }
  }

  return {
    add,
    remove(kind, value) {
      values.set(
        kind,
        (values.get(kind) ?? []).filter((known) => known !== value),
      );
    },
    pick(kind, random) {
      const list = values.get(kind) ?? [];
      return list.length === 0 ? null : random.pick(list);
    },
    harvest: (path, json) => visit(kindOf(path), json, 0),
  };
}
