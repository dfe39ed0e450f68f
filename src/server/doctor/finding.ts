import type { Finding } from "#contract/site/doctor.ts";

/** Reasons why each check matters. */
const meanings = {
  versions: "Programs get fixes of security holes only as long as their makers support them.",
  database: "It holds everything but the media. While it is away the site responds with 503.",
  schema: "Each version of Kinora needs its tables. A start adds what is missing.",
  connections: "Every process opens several. Beyond the server's limit, processes cannot start.",
  clocks: "Sessions, schedules and jobs compare the times of this machine and the database.",
  storage: "Without free space uploads are refused, and an embedded database stops.",
  backups: "A lost disk, or a video deleted by mistake, comes back only from a backup.",
  ffmpeg: "It opens every upload. Old versions have known holes, reduced ones accept fewer files.",
  videos: "A rendition with missing bytes stops players in the middle of the video.",
  sandbox: "It bounds what a hostile file could reach through a hole of ffmpeg.",
  address: "Links, RSS, sitemaps, embeds and the sign-in of the back office use this address.",
  proxy: "What a trusted proxy says decides whose limits apply and whether cookies are secure.",
  port: "It is where the proxy, or the visitors themselves, reach this machine.",
} as const;
type Subject = keyof typeof meanings;

export const ok = (about: Subject, says: string): Finding => ({
  state: "ok",
  about,
  says,
  means: meanings[about],
  advice: null,
});

export const warning = (about: Subject, says: string, advice: string): Finding => ({
  state: "warning",
  about,
  says,
  means: meanings[about],
  advice,
});

export const failure = (about: Subject, says: string, advice: string): Finding => ({
  state: "failure",
  about,
  says,
  means: meanings[about],
  advice,
});

/** Formats a finding as lines for a terminal. */
export function renderFinding({ state, about, says, means, advice }: Finding): string {
  const line = `${state.padEnd(8)} ${about}: ${says}`;
  return advice === null ? line : `${line}\n         ${means}\n         ${advice}`;
}
