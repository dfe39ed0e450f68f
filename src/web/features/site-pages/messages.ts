import { inLanguage } from "#web/lib/language/page-language.ts";

export const sourceMessages = inLanguage("source", {
  intro: (version: string) =>
    `This site runs Kinora ${version}. Kinora is free software under the GNU Affero General Public License, version 3 or later: you may use, study, share and change it.`,
  download: "Download the source code of this site",
  contents:
    "The archive contains the program, its tests and its documentation, but none of this site's content.",
});
