import { expect, it } from "vitest";
import type { AuditEntry } from "#contract/accounts/audit.ts";
import { auditSentence } from "./audit-sentence.tsx";

const entry = (values: Partial<AuditEntry>): AuditEntry => ({
  id: "1",
  at: "",
  userEmail: "ada@example.test",
  userName: "Ada",
  requestId: null,
  action: "",
  entity: "video",
  entityId: "7",
  before: null,
  after: null,
  ...values,
});

it("lists the changed fields and links to the video", () => {
  const before = { title: "Tides", tags: [{ tag: { name: "sea" } }], isPremium: false };
  const after = { tags: ["rain"], isPremium: true };
  expect(auditSentence(entry({ action: "video.updated", before, after }))).toEqual({
    does: "changed tags and premium of the video",
    name: "Tides",
    href: "/admin/videos?edit=7",
  });
});

it("doesn't link to a deleted video, and counts fields if there are many", () => {
  const removed = entry({ action: "video.deleted", before: { title: "Tides" } });
  expect(auditSentence(removed)).toEqual({ does: "deleted the video", name: "Tides", href: null });
  const after = { siteName: "a", siteUrl: "b", logoUrl: "c", terms: "d", privacy: "e" };
  expect(auditSentence(entry({ action: "settings.updated", entity: "settings", after }))).toEqual({
    does: "changed 5 fields in the",
    name: "settings",
    href: "/admin/settings",
  });
});

it("names fields and deeds in words of the user", () => {
  const sentence = (action: string, entity: string, after: object) =>
    auditSentence(entry({ action, entity, after })).does;
  expect(sentence("actor.updated", "actor", { imageUrl: "/a.png" })).toBe(
    "changed image of the actor",
  );
  expect(sentence("settings.updated", "settings", { breakGapS: 9, siteUrl: "a" })).toBe(
    "changed time between ad breaks and site address in the",
  );
  const account = (email: string) => sentence("account.created", "account", { email });
  expect(account("ada@example.test")).toBe("joined");
  expect(account("bob@example.test")).toBe("created an account for");
});

it("describes unknown actions in a sentence", () => {
  const unknown = entry({ action: "webhook.created", entity: "webhook", after: { name: "Bell" } });
  expect(auditSentence(unknown)).toMatchObject({ does: "created the webhook", name: "Bell" });
});
