import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { importLimits } from "#contract/videos/imports.ts";
import { createDbOn } from "#server/db/connection.ts";
import { createImportsService } from "./imports.service.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kinora-imports-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The service without a database, which it reaches only for a file that it accepts. */
const imports = createImportsService({
  db: createDbOn({
    connect: () => Promise.reject(new Error("no database")),
    end: () => Promise.resolve(),
    options: {},
  }),
  queue: {
    enqueue: () => Promise.reject(new Error("no queue")),
    hasUnfinished: () => Promise.reject(new Error("no queue")),
  },
});

async function create(csv: string): Promise<unknown> {
  const path = join(folder, "rows.csv");
  await writeFile(path, csv);
  const actor = { user: { id: null, email: "someone@example.com" }, requestId: "r" };
  return imports.create("tags", { path, name: "rows.csv" }, actor);
}

it.each([
  ["too many rows", `name\n${"a\n".repeat(importLimits.maxRows + 1)}`, "more than 500,000 rows"],
  ["no rows", "name\n", "no rows below the header"],
  ["only blank rows", "name;slug\n;\n ;\n", "no rows below the header"],
  ["an error in the last line", `name\n${"a\n".repeat(2000)}"b`, "quotation mark is not closed"],
])("refuses a file with %s before storing any of it", async (_, csv, message) => {
  await expect(create(csv)).rejects.toThrow(message);
});

it("stores the rows of a file that it accepts", async () => {
  await expect(create("name\na\n")).rejects.toThrow("no database");
});
