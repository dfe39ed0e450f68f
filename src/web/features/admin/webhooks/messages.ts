import type { DeliveryState, WebhookEvent } from "#contract/site/webhooks.ts";

export const webhookMessages = {
  title: "Webhooks",
  note: "Programs of yours that are told what happens on the site",
  add: "Add webhook",
  adding: "Adding...",
  edit: "Edit webhook",
  save: "Save",
  saving: "Saving...",
  loadFailed: "Failed to load the webhooks",
  empty: "No webhooks yet.",
  emptyHint: "Each message is signed. How to check it: docs/webhooks.md.",
  url: "Address",
  urlHint: "https is best: messages name videos that are not public yet.",
  events: "Events",
  addFailed: "Failed to add the webhook",
  saveFailed: "Failed to save the webhook",
  removeFailed: "Failed to remove the webhook",
  removed: "The webhook is removed",
  askRemove: (url: string) => `Remove the webhook to ${url}? Its log goes with it.`,
  remove: "Remove",
  enable: "Switch on",
  disable: "Switch off",
  manage: "Manage",
  log: "Log",
  logTitle: "Messages",
  logHint: "The last 100 of 30 days. One that fails is sent 8 times within 20 hours.",
  noMessages: "Nothing was sent yet.",
  again: "Send again",
  againFailed: "Failed to send the message again",
  queued: "The message is on its way",
  attempts: (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`),
  nextAt: (time: string) => `next at ${time}`,
  off: "Off",
  on: "On",
  figures: (delivered: number, failed: number) =>
    `${delivered.toLocaleString()} delivered, ${failed.toLocaleString()} failed today`,
  secretTitle: "Secret of the webhook",
  secretText: "It signs every message. Keep it now: it is not shown again.",
  copy: "Copy",
  copied: "The secret is copied",
  copyFailed: "The secret could not be copied",
  done: "Done",
} as const;

export const eventNames: Record<WebhookEvent, string> = {
  "video.ready": "Video ready: it can be played",
  "video.published": "Video published: visitors see it",
  "video.removed": "Video removed",
  "video.failed": "Video failed in processing",
  "report.opened": "Report opened by a visitor",
};

export const deliveryNames: Record<DeliveryState, string> = {
  waiting: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
};
