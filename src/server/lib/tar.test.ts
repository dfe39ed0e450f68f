import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readTar, tarEnd, tarHeader, tarPadding } from "./tar.ts";

const archive = () =>
  Buffer.concat([tarHeader("manifest.json", 2), Buffer.from("{}"), tarPadding(2), tarEnd()]);

async function list(bytes: Buffer): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, sizeBytes } of readTar(Readable.from([bytes]))) {
    names.push(`${name} ${sizeBytes}`);
  }
  return names;
}

test("reads what it wrote", async () => {
  expect(await list(archive())).toEqual(["manifest.json 2"]);
});

test.each([
  ["name", 3],
  ["mode", 104],
  ["size", 130],
  ["checksum", 150],
])("refuses an archive whose first header has a damaged %s", async (_, at) => {
  const bytes = archive();
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await expect(list(bytes)).rejects.toThrow("isn't a backup of Kinora, or is damaged");
});
