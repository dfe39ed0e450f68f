/** What a check found, in one line, and what to do about it. */
export interface Finding {
  state: "ok" | "warning" | "failure";
  about: string;
  says: string;
  /** Absent where all is well. */
  advice?: string;
}

export const ok = (about: string, says: string): Finding => ({ state: "ok", about, says });

export const warning = (about: string, says: string, advice: string): Finding => ({
  state: "warning",
  about,
  says,
  advice,
});

export const failure = (about: string, says: string, advice: string): Finding => ({
  state: "failure",
  about,
  says,
  advice,
});

export const renderFinding = ({ state, about, says, advice }: Finding): string =>
  `${state.padEnd(8)} ${about}: ${says}${advice === undefined ? "" : `\n         ${advice}`}`;
