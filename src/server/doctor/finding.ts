import type { Finding } from "#contract/site/doctor.ts";

/** Reasons why each check matters. */
const meanings = {
  versions: "Only supported versions get security fixes.",
  database: "Stores everything except media files. Without it, the site responds with 503.",
  schema: "Each version of Kinora needs certain tables. Missing ones are created at startup.",
  connections:
    "Every process opens several connections. Beyond the server's limit, processes can't start.",
  clocks: "Sessions, schedules and jobs rely on the clocks of this machine and the database.",
  storage: "When the disk is full, uploads are refused and an embedded database stops.",
  backups: "Only a backup recovers a lost disk or a video deleted by mistake.",
  ffmpeg:
    "Opens every upload. Old versions have known vulnerabilities, and reduced builds accept fewer files.",
  videos: "A rendition with missing bytes stops playback in the middle of the video.",
  "older videos":
    "Older versions published parts that an edit list hides, and showed mirrored and HDR videos wrongly. After an upgrade, these videos are made again.",
  labels: "Older versions treated names as equal if only their Latin letters and digits were.",
  sandbox: "Limits what a hostile file can do if it exploits a vulnerability in ffmpeg.",
  address: "Links, RSS, sitemaps, embeds and sign-in use this address.",
  collation:
    "Searches miss entries if PostgreSQL doesn't know all letters, or if an update of its system made it sort texts differently from its indexes.",
  mail: "Sends links for accounts, and messages about reports and changes of access.",
  proxy: "Rate limits and secure cookies depend on what a trusted proxy reports.",
  port: "The proxy, or visitors themselves, connect to this port.",
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
