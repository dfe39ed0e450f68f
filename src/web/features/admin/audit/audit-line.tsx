import type { AuditEntry } from "#contract/accounts/audit.ts";
import { auditSentence } from "./audit-sentence.ts";

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
