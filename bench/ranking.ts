import { parseArgs } from "node:util";
import { createBaselines, productPolicy } from "./support/feed-policies.ts";
import { scoreFeed, type FeedScores } from "./support/feed-scenarios.ts";
import { meanOf, type Policy } from "./support/feed-world.ts";
import type { BenchTable } from "./support/bench-table.ts";
import { createTasteWorld } from "./support/taste-world.ts";
import { countTogether, replayTaste, scoreRelated } from "./support/taste-replay.ts";

/** Run it. */
export async function run(args: string[]): Promise<BenchTable> {
  const { values } = parseArgs({
    args,
    options: { seeds: { type: "string", default: "1,2,3" } },
  });
  const seeds = values.seeds.split(",").map(Number);
  const names = [productPolicy(), ...createBaselines()].map(({ name }) => name);
  const create = (name: string): Policy => {
    const found = [productPolicy(), ...createBaselines()].find((policy) => policy.name === name);
    if (found === undefined) throw new Error(name);
    return found;
  };
  const rows: (string | number)[][] = [];
  for (const name of names) {
    const scores: FeedScores[] = seeds.map((seed) => scoreFeed(() => create(name), seed));
    rows.push([name, ...Object.values(scores)].map(String));
    console.log(name, JSON.stringify(scores));
  }
  for (const seed of seeds) {
    const world = createTasteWorld(seed);
    const together = countTogether(world);
    console.log(
      seed,
      [0, 5, 20, 50].map((watches) =>
        replayTaste(world, together, watches, watches === 0 ? null : undefined),
      ),
      scoreRelated(world, together),
    );
  }
  return {
    title: "Ranking",
    columns: ["policy"],
    rows,
    isPartial: true,
    notes: [String(meanOf([]))],
  };
}
