import { fieldWords } from "#contract/field-words.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import type { AuditEntry } from "#contract/accounts/audit.ts";

/** Parts of a sentence such as "Ada changed title and tags of the video Tides". */
export interface AuditSentence {
  /** Follows the name of the user, such as "changed title and tags of the video". */
  does: string;
  /** Name of the subject. Null if the sentence needs none. */
  name: string | null;
  /** Back-office page of the subject. */
  href: string | null;
}

const nouns: Record<string, string> = {
  video: "the video",
  category: "the category",
  tag: "the tag",
  actor: "the actor",
  ad: "the ad",
  advertiser: "the advertiser",
  campaign: "the campaign",
  "report-mail": "the email report",
  referral: "the referral link",
  token: "the API token",
  pass: "the pass",
  import: "the import",
  page: "the page",
};

/** Actions whose sentence ends with the name of the entity. */
const deeds: Record<string, string> = {
  "video.uploaded": "uploaded the video",
  "video.clip-made": "made the clip",
  "video.published": "published the video",
  "video.unpublished": "unpublished the video",
  "video.deleted": "deleted the video",
  "video.restored": "restored the video",
  "video.erased": "permanently deleted the video",
  "video.retried": "retried processing the video",
  "video.reprocessed": "reprocessed the video",
  "video.cut": "cut the video",
  "video.cut-undone": "undid the cut of the video",
  "video.cut-saved": "saved parts of a video as the draft",
  "video.withdrawn": "withdrew the files of the video",
  "video.link-created": "created a private link for the video",
  "video.link-removed": "disabled the private link for the video",
  "video.file-uploaded": "uploaded a new file for the video",
  "video.file-replaced": "replaced the file of the video",
  "video.reprocess-cancelled": "cancelled reprocessing the video",
  "video.file-cancelled": "kept the current file of the video",
  "video.thumbnail-changed": "changed the thumbnail of the video",
  "video.captions-added": "added captions to the video",
  "video.captions-changed": "changed the captions of the video",
  "video.captions-removed": "deleted captions from the video",
  "video.scheduled": "scheduled the video",
  "video.unscheduled": "removed the schedule of the video",
  "report.updated": "changed the report about",
  "report.resolved": "resolved the report about",
  "report.deleted": "deleted a report about",
  "comment.approved": "approved a comment on the video",
  "comment.removed": "removed a comment on the video",
  "page.ordered": "changed the order of the pages",
  "pass.mailed": "emailed the link of the pass",
  "pass.revoked": "revoked the pass",
  "webhook.resent": "sent a message again to the webhook",
  "file.allowed": "unblocked the file",
  "ad.approved": "approved the ad",
  "ad.trusted": "trusted the scripts of the ad",
  "advertiser.shared": "shared stats for the advertiser",
  "advertiser.unshared": "stopped sharing stats for the advertiser",
  "account.created": "created an account for",
  "account.invited": "invited",
  "account.invitation-revoked": "withdrew the invitation for",
  "account.password-reset": "reset the password of",
  "account.role-changed": "changed the role of",
  "account.removed": "removed the account of",
  "account.disabled": "disabled the account of",
  "account.enabled": "enabled the account of",
  "account.second-factors-removed": "reset two-factor sign-in for",
  "account.sessions-ended": "ended all sessions of",
  "account.session-ended": "ended a session of",
};

/** Actions whose sentence has no subject name. */
const ownDeeds: Record<string, string> = {
  "account.signed-in": "signed in",
  "account.signed-out": "signed out",
  "account.sign-in-failed": "failed to sign in",
  "account.second-factor-failed": "entered a wrong sign-in code",
  "account.password-check-failed": "entered a wrong current password",
  "account.password-changed": "changed their password",
  "account.email-changed": "changed their email address",
  "account.renamed": "changed their name",
  "account.listed": "listed all accounts",
  "account.totp-added": "added an authenticator app",
  "account.totp-removed": "removed the authenticator app",
  "account.passkey-added": "added a passkey",
  "account.passkey-removed": "removed a passkey",
  "account.recovery-codes-renewed": "created new recovery codes",
  "account.second-factor-rule": "changed whether two-factor sign-in is required",
  "backup.created": "created a backup",
  "storage.moved": "moved the media to different storage",
  "bulk.cancelled": "cancelled a bulk action",
  "watched-folder.cleared": "cleared the failed files of the watched folder",
};

const fieldsOf = (value: unknown): Map<string, unknown> =>
  new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);

/** Names of fields whose own names say something else. */
const fieldNames: Record<string, string> = {
  "site URL": "site address",
  "video or VAST URL": "video or VAST address",
  slug: "address",
};

/** Returns "site name" for "siteName", "premium" for "is_premium", "image" for "imageUrl". */
function wordsOf(field: string): string {
  const words = fieldWords(field);
  return fieldNames[words] ?? words.replace(/ (URL|ID)(?=s?$)/, "");
}

function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** Maximum number of fields in a list. With more, the sentence only contains their number. */
const maxFields = 4;

function changedFields({ before, after }: AuditEntry): string {
  const old = fieldsOf(before);
  const names = [...fieldsOf(after)]
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old.get(name)))
    .map(([name]) => wordsOf(name))
    .filter((name) => name !== "updated at" && name !== "version");
  if (names.length > maxFields) return `${names.length} fields`;
  return listWords(names);
}

function nameOf({ before, after }: AuditEntry): string | null {
  for (const side of [after, before]) {
    const fields = fieldsOf(side);
    for (const key of ["title", "email", "name"]) {
      const name = fields.get(key);
      if (typeof name === "string" && name !== "") return name;
    }
  }
  return null;
}

function bulkWords({ after }: AuditEntry): string {
  const fields = fieldsOf(after);
  const kind = fieldsOf(fields.get("action")).get("kind");
  const total = Number(fields.get("total") ?? 0);
  const deed = typeof kind === "string" ? wordsOf(kind) : "an action";
  return `started "${deed}" on ${countOf(total, "video")}`;
}

function pageOf({ action, entity, entityId }: AuditEntry, name: string | null): string | null {
  if (/\.(deleted|erased|removed)$/.test(action) || entityId === null) return null;
  const search = name === null ? "" : `?search=${encodeURIComponent(name)}`;
  switch (entity) {
    case "video":
      return `/admin/videos?edit=${encodeURIComponent(entityId)}`;
    case "category":
      return `/admin/categories${search}`;
    case "tag":
    case "actor":
    case "ad":
    case "referral":
      return `/admin/${entity}s${search}`;
    case "campaign":
      return `/admin/campaigns/${encodeURIComponent(entityId)}`;
    case "report-mail":
      return "/admin/campaigns/report";
    case "advertiser":
      return "/admin/campaigns/advertisers";
    case "account":
      return "/admin/people";
    case "import":
      return `/admin/import?import=${encodeURIComponent(entityId)}`;
    case "settings":
      return "/admin/settings";
    default:
      return null;
  }
}

/** Returns whether the user is that of the account, for example after an invitation. */
const hasJoined = ({ action, userEmail, after }: AuditEntry): boolean =>
  action === "account.created" && fieldsOf(after).get("email") === userEmail;

export function auditSentence(entry: AuditEntry): AuditSentence {
  const { action, entity } = entry;
  const own = hasJoined(entry) ? "joined" : ownDeeds[action];
  if (own !== undefined) return { does: own, name: null, href: null };
  if (action === "bulk.started") return { does: bulkWords(entry), name: null, href: null };
  const fields = changedFields(entry);
  if (entity === "settings") {
    const does = fields === "" ? "saved the" : `changed ${fields} in the`;
    return { does, name: "settings", href: "/admin/settings" };
  }
  const name = nameOf(entry);
  const noun = nouns[entity] ?? `the ${wordsOf(entity)}`;
  const verb = action.slice(action.indexOf(".") + 1);
  const does =
    deeds[action] ??
    (verb === "updated" && fields !== ""
      ? `changed ${fields} of ${noun}`
      : `${wordsOf(verb)} ${noun}`);
  return { does, name: name ?? entry.entityId, href: pageOf(entry, name) };
}

/** Shows an entry as a sentence with links to the user's other entries and to the subject. */
export function AuditLine({ entry }: { entry: AuditEntry }) {
  const { does, name, href } = auditSentence(entry);
  const linkClass = "font-medium hover:underline";
  return (
    <p className="min-w-0 wrap-anywhere">
      <a
        href={`/admin/audit?search=${encodeURIComponent(entry.userEmail)}`}
        title={entry.userEmail}
        className={linkClass}
      >
        {entry.userName || entry.userEmail}
      </a>
      {` ${does} `}
      {name === null ? null : href === null ? (
        <span className="font-medium">{name}</span>
      ) : (
        <a href={href} className={linkClass}>
          {name}
        </a>
      )}
    </p>
  );
}
