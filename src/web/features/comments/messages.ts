import { inLanguage } from "#web/lib/language/page-language.ts";

export const commentMessages = inLanguage("comments", {
  title: "Comments",
  show: "Comments",
  empty: "No comments yet.",
  loadFailed: "The comments could not be loaded.",
  tryAgain: "Try Again",
  more: "More comments",
  noName: "Without a name",
  report: "Report",
  reportOf: (name: string) => `Report the comment of ${name}`,
  write: "Write a comment",
  text: "Comment",
  name: "Name",
  nameHint: "Optional. Everyone sees it.",
  textHint: "Plain text. You need no account.",
  send: "Send comment",
  sending: "Sending...",
  shown: "Your comment is there.",
  held: "Thank you. Your comment appears when a moderator has approved it.",
  failed: "The comment could not be sent. Check it, or try again later.",
  back: "Back to the video",
});
