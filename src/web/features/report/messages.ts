import type { ReportOutcome, ReportReason, TakedownGround } from "#contract/visitors/reports.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

export const reportMessages = inLanguage("report", {
  title: "Report this video",
  commentTitle: "Report a comment",
  intro: "A moderator looks at every report. Its sender stays unknown to others.",
  reason: "What is wrong?",
  text: "What should we know?",
  textHint: "Optional. Say where in the video, if it is a part of it.",
  email: "Email",
  emailHint: "Optional. We use it only to tell you what was decided.",
  send: "Send report",
  sending: "Sending...",
  sent: "Thank you. A moderator will look at this video.",
  failed: "The report could not be sent. Please try again.",
  cancel: "Cancel",
  done: "Done",
  legal: "If your own rights are infringed, send a takedown notice instead.",
  back: "Back to the video",
});

export const reasonNames = inLanguage("reasons", {
  illegal: "It is illegal",
  children: "A child is in danger or abused",
  privacy: "It shows someone who did not agree",
  violence: "Violence or hatred",
  misleading: "Spam or misleading",
  other: "Something else",
} satisfies Record<ReportReason, string>);

export const takedownMessages = inLanguage("takedown", {
  title: "Takedown notice",
  intro:
    "For owners of rights and those who act for them. To tell us about anything else, use Report on the page of the video.",
  ground: "What is the notice about?",
  addresses: "Addresses of the videos",
  addressesHint: "One a line, at most 20, such as https://example.com/video/its-name",
  text: "What is infringed, and how?",
  textHint: "Name the work, the mark, the person or the law, and where the original is.",
  you: "About you",
  name: "Full name",
  organisation: "Organisation",
  organisationHint: "Optional. Whom you act for.",
  email: "Email",
  postalAddress: "Postal address",
  postalAddressHint: "Optional, but some laws ask for it.",
  goodFaith:
    "I believe in good faith that this use is not permitted by the owner of the right, its agent, or the law.",
  accurate:
    "What this notice says is accurate. I am the owner of the right, or may act for the owner.",
  signature: "Signature",
  signatureHint: "Type your full name.",
  send: "Send notice",
  sending: "Sending...",
  sent: "The notice has arrived. The decision goes to your email address where this site sends email.",
  failed: "The notice could not be sent. Check every field, and try again.",
});

export const groundNames = inLanguage("grounds", {
  copyright: "Copyright",
  trademark: "Trademark",
  personality: "Right to one's own image or privacy",
  court: "Order of a court or an authority",
  law: "Another law",
} satisfies Record<TakedownGround, string>);

export const removalMessages = inLanguage("removals", {
  title: "Removals",
  intro: "Takedown notices that this site has followed. Private senders are not named.",
  empty: "No video was removed because of a notice.",
  date: "Date",
  video: "Video",
  ground: "About",
  sender: "Sender",
  outcome: "Decision",
  privateSender: "A private person",
});

export const outcomeNames = inLanguage("outcomes", {
  dismissed: "Dismissed",
  unpublished: "Unpublished",
  removed: "Removed",
  blocked: "Removed and blocked",
} satisfies Record<ReportOutcome, string>);
