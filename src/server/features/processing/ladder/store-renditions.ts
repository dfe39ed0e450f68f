import type { RenditionOutput } from "#server/media/pipeline/ladder.step.ts";
import type { Renditions } from "#server/media/plan/renditions.ts";
import type { Storage } from "#server/storage/storage.ts";

/** Stores an attempt's files. @returns the renditions, addressed as in the master playlist. */
export async function storeRenditions(
  storage: Storage,
  folder: string,
  attempt: string,
  { files, renditions }: RenditionOutput,
): Promise<Renditions> {
  for (const { name, path } of files) {
    const [parent = "", file = ""] = name.split("/");
    await storage.putFile(`${folder}${parent}/${attempt}/${file}`, path);
  }
  const inAttempt = <T extends { uri: string }>(track: T): T => ({
    ...track,
    uri: `${attempt}/${track.uri}`,
  });
  const { variants, sounds } = renditions;
  return {
    ...renditions,
    variants: variants.map(inAttempt),
    sounds: sounds.map(inAttempt),
  };
}
