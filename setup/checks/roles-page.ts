import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readProcessArguments } from "#server/lib/command-line.mjs";
import {
  accountRoles,
  actions,
  can,
  canBeScope,
  confirmedChanges,
  confirmedMinutes,
  describeAction,
} from "#contract/accounts/policy.ts";

const { flags } = readProcessArguments({
  name: "npm run roles",
  summary: "Writes docs/roles.md.",
  options: { check: { help: "only compare" } },
  examples: ["npm run roles"],
});
const isCheck = flags.has("check");

/** Writes docs/roles.md from the policy table; with `--check` it only compares. */
const path = fileURLToPath(new URL("../../docs/roles.md", import.meta.url));

const titleOf = (role: string) => role.charAt(0) + role.slice(1).toLowerCase();
const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

const text = `# Roles

<!-- Made from src/contract/accounts/policy.ts by \`npm run roles\`. -->

The first account of a site is its owner. Owners and admins have the role \`ADMIN\` in responses of the API. The last
owner can be neither removed, disabled nor demoted. \`USER\` may only sign in and manage their own account. A user who opens
a page that their role doesn't allow sees Access Denied. A call gets 403.

Changing a user's role, disabling or removing the account ends all of the user's sessions at once. Disabling an account and
signing a user out everywhere also end the API tokens.

The column "API token" shows whether a token can have the action as a scope. A token can only do what both its scopes and its
user's role allow.

${[
  row(["", ...accountRoles.map(titleOf), "API token"]),
  row(["---", ...accountRoles.map(() => ":-:"), ":-:"]),
  ...actions.map((action) =>
    row([
      `${describeAction(action)} (\`${action}\`)`,
      ...accountRoles.map((role) => (can(role, action) ? "yes" : "")),
      canBeScope(action) ? "yes" : "",
    ]),
  ),
].join("\n")}

## Changes that need a confirmation

These require the password or a passkey, unless the session confirmed one within the last ${confirmedMinutes} minutes (403
\`confirmation_required\`, \`POST /api/account/confirm\`). No API token can make them. Each is in the audit log, and owners get an email
about it if the site sends email.

${confirmedChanges.map(({ change, means }) => `- ${means} (\`${change}\`)`).join("\n")}
`;

if (isCheck) {
  if (readFileSync(path, "utf8") !== text) {
    console.log("docs/roles.md differs from the policy table. Run npm run roles.");
    process.exitCode = 1;
  }
} else writeFileSync(path, text);
