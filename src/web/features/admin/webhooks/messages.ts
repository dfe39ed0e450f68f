import type { DeliveryState, WebhookEvent } from "#contract/site/webhooks.ts";

export const webhookMessages = {
  title: "Webhooks",
  note: "Notify your own programs about events on the site",
  add: "Add webhook",
  adding: "Adding...",
  edit: "Edit webhook",
  save: "Save",
  saving: "Saving...",
  loadFailed: "Failed to load the webhooks",
  empty: "No webhooks yet.",
  emptyHint: "Webhooks send signed messages to your own server when something happens on the site.",
  emptyExample:
    "Send video.ready to https://example.com/hook, and your newsletter can announce each new video.",
  addFirst: "Add the first webhook",
  url: "URL",
  urlHint: "Use HTTPS, because messages include videos that aren't public yet.",
  events: "Events",
  addFailed: "Failed to add the webhook",
  saveFailed: "Failed to save the webhook",
  removeFailed: "Failed to remove the webhook",
  removed: "Webhook removed",
  askRemove: (url: string) => `Remove the webhook for ${url}? Its log will be deleted.`,
  remove: "Remove",
  enable: "Turn on",
  disable: "Turn off",
  manage: "Manage",
  log: "Log",
  logTitle: "Messages",
  logFailed: "Failed to load the messages",
  logHint:
    "Up to 100 messages from the last 30 days. Failed messages are retried up to 8 times within 20 hours.",
  noMessages: "No messages yet.",
  again: "Resend",
  againFailed: "Failed to resend the message",
  queued: "Message queued",
  attempts: (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`),
  nextAt: (time: string) => `next attempt on ${time}`,
  off: "Off",
  on: "On",
  figures: (delivered: number, failed: number) =>
    `${delivered.toLocaleString()} delivered, ${failed.toLocaleString()} failed today`,
  secretTitle: "Webhook secret",
  secretText: "Use it to verify signatures. Copy it now. It won't be shown again.",
  copy: "Copy",
  copied: "Secret copied",
  copyFailed: "Couldn't copy the secret",
  done: "Done",
} as const;

export const eventNames: Record<WebhookEvent, string> = {
  "video.ready": "Video is ready to play",
  "video.published": "Video published",
  "video.removed": "Video removed",
  "video.failed": "Video processing failed",
  "report.opened": "Visitor sent a report",
};

export const deliveryNames: Record<DeliveryState, string> = {
  waiting: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
};
