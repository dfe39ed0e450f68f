import { z } from "zod";

/** Events that a webhook can subscribe to. */
export const webhookEvents = [
  "video.ready",
  "video.published",
  "video.removed",
  "video.failed",
  "report.opened",
  "pass.created",
  "pass.used",
  "pass.ended",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

const deliveryStates = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.string()),
  isEnabled: z.boolean(),
  createdAt: z.iso.datetime(),
  /** Failures in the last 24 hours. */
  failed: z.number(),
  delivered: z.number(),
});
export type Webhook = z.infer<typeof webhook>;
export const webhooks = z.array(webhook);

const url = z
  .string()
  .trim()
  .max(2000, "At most 2000 characters")
  .refine((text) => {
    const parsed = URL.parse(text);
    return (
      parsed !== null &&
      /^https?:$/.test(parsed.protocol) &&
      parsed.username === "" &&
      parsed.password === ""
    );
  }, "Enter an HTTP or HTTPS URL without a user name");
const events = z
  .array(z.enum(webhookEvents))
  .min(1, "Choose at least one event")
  .max(webhookEvents.length);

export const webhookBody = z.object({ url, events });
export type WebhookBody = z.infer<typeof webhookBody>;
export const webhookPatch = webhookBody.partial().extend({ isEnabled: z.boolean().optional() });
export type WebhookPatch = z.infer<typeof webhookPatch>;

/** Secret that signs messages. It is shown once. */
export const createdWebhook = z.object({ webhook, secret: z.string() });
export type CreatedWebhook = z.infer<typeof createdWebhook>;

const delivery = z.object({
  id: z.uuid(),
  event: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.number(),
  /** The status of the last response, or null if there was none. */
  status: z.number().nullable(),
  problem: z.string().nullable(),
  createdAt: z.iso.datetime(),
  /** Time of the next attempt, if one is scheduled. */
  nextAt: z.iso.datetime(),
  deliveredAt: z.iso.datetime().nullable(),
});
export type Delivery = z.infer<typeof delivery>;
export const deliveries = z.array(delivery);
