import type { ReportOutcome, ReportReason, TakedownGround } from "#contract/visitors/reports.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

export const reportMessages = inLanguage("report", {
  title: "Report this video",
  commentTitle: "Report a comment",
  intro: "A moderator reviews every report. Your report is confidential.",
  reason: "What's wrong?",
  text: "What should we know?",
  textHint: "Optional. If it's about part of the video, tell us where.",
  email: "Email",
  emailHint: "Optional. We'll only use it to tell you our decision.",
  send: "Send report",
  sending: "Sending...",
  sent: "Thank you. A moderator will review this video.",
  failed: "Couldn't send your report. Please try again.",
  cancel: "Cancel",
  done: "Done",
  legal: "If this video infringes your rights, send a takedown notice instead.",
  back: "Back to the video",
});

export const reasonNames = inLanguage("reasons", {
  illegal: "Illegal content",
  children: "Child abuse or endangerment",
  privacy: "Shows someone without their consent",
  violence: "Violence or hatred",
  misleading: "Spam or misleading",
  other: "Something else",
} satisfies Record<ReportReason, string>);

export const takedownMessages = inLanguage("takedown", {
  title: "Takedown notice",
  intro:
    "For rights holders and their representatives. To tell us about anything else, use Report on the video page.",
  ground: "What is the notice about?",
  addresses: "Video URLs",
  addressesHint: "One per line, up to 20, such as https://example.com/video/its-name",
  text: "What is being infringed, and how?",
  textHint: "Describe the work, trademark, person or law, and link to the original.",
  you: "About you",
  name: "Full name",
  organisation: "Organisation",
  organisationHint: "Optional. Who you represent.",
  email: "Email",
  postalAddress: "Postal address",
  postalAddressHint: "Optional, but required by some laws.",
  goodFaith:
    "I have a good faith belief that this use is not authorized by the rights holder, its agent or the law.",
  accurate:
    "The information in this notice is accurate. I am the rights holder or authorized to act on their behalf.",
  signature: "Signature",
  signatureHint: "Type your full name.",
  send: "Send notice",
  sending: "Sending...",
  sent: "We received your notice. If this site sends email, you'll get our decision by email.",
  failed: "Couldn't send your notice. Check every field and try again.",
});

export const groundNames = inLanguage("grounds", {
  copyright: "Copyright",
  trademark: "Trademark",
  personality: "Privacy or right to one's own image",
  court: "Order from a court or authority",
  law: "Other law",
} satisfies Record<TakedownGround, string>);

export const removalMessages = inLanguage("removals", {
  title: "Removals",
  intro: "Videos removed because of takedown notices. Private individuals aren't named.",
  empty: "No videos have been removed because of a notice.",
  date: "Date",
  video: "Video",
  ground: "About",
  sender: "Sender",
  outcome: "Decision",
  privateSender: "Private individual",
});

export const outcomeNames = inLanguage("outcomes", {
  dismissed: "Dismissed",
  unpublished: "Unpublished",
  removed: "Removed",
  blocked: "Removed and blocked",
} satisfies Record<ReportOutcome, string>);
