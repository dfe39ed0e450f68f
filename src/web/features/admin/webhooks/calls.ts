import { queryOptions } from "@tanstack/react-query";
import {
  createdWebhook,
  deliveries,
  webhooks,
  type CreatedWebhook,
  type WebhookBody,
  type WebhookPatch,
  type DeliveryState,
  type WebhookEvent,
} from "#contract/site/webhooks.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";

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

export const webhooksKey = ["admin", "webhooks"] as const;

export const webhooksQuery = queryOptions({
  queryKey: webhooksKey,
  queryFn: () => adminCall("/api/admin/webhooks", webhooks),
});

export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: [...webhooksKey, id],
    queryFn: () => adminCall(`/api/admin/webhooks/${id}/deliveries`, deliveries),
    refetchInterval: 5000,
  });

export const addWebhook = (body: WebhookBody): Promise<CreatedWebhook> =>
  adminCall("/api/admin/webhooks", createdWebhook, { method: "POST", body });

export const changeWebhook = (id: string, body: WebhookPatch): Promise<void> =>
  adminSend(`/api/admin/webhooks/${id}`, { method: "PUT", body });

export const removeWebhook = (id: string): Promise<void> =>
  adminSend(`/api/admin/webhooks/${id}`, { method: "DELETE" });

export const sendAgain = (deliveryId: string): Promise<void> =>
  adminSend(`/api/admin/webhooks/deliveries/${deliveryId}/again`, { method: "POST" });
