import type { DeliveryState, WebhookEvent } from "#contract/site/webhooks.ts";

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
