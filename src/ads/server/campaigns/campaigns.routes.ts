import {
  advertiserList,
  advertiserResponse,
  campaignDetails,
  campaignList,
  campaignResponse,
  shareKey,
} from "../../contract/campaigns.ts";
import { adParams } from "../../contract/ads.ts";
import { advertiserInput, campaignBody } from "../../contract/campaigns.input.ts";
import { actorOf } from "#server/http/access/policy.ts";
import type { App } from "#server/http/app.ts";
import { noBody } from "#server/http/openapi.ts";
import type { CampaignsService } from "./campaigns.service.ts";

const tags = ["campaigns"];

const params = adParams;
const read = { policy: "ads.read" } as const;
const edit = { policy: "ads.approve" } as const;

/** Routes of advertisers and campaigns in the back office. */
export function registerCampaignRoutes(app: App, campaigns: CampaignsService): void {
  registerAdvertiserCalls(app, campaigns);
  registerCampaignCalls(app, campaigns);
}

function registerAdvertiserCalls(app: App, campaigns: CampaignsService): void {
  app.get(
    "/api/advertisers",
    {
      config: read,
      schema: { tags, summary: "List all advertisers", response: { 200: advertiserList } },
    },
    async () => ({ advertisers: await campaigns.listAdvertisers() }),
  );

  app.post(
    "/api/advertisers",
    {
      config: { ...edit, isIdempotent: true },
      schema: {
        tags,
        summary: "Add an advertiser",
        body: advertiserInput,
        response: { 201: advertiserResponse },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await campaigns.saveAdvertiser(null, request.body, actorOf(request))),
  );

  app.put(
    "/api/advertisers/:id",
    {
      config: edit,
      schema: {
        tags,
        summary: "Replace the fields of an advertiser",
        params,
        body: advertiserInput,
        response: { 200: advertiserResponse },
      },
    },
    (request) => campaigns.saveAdvertiser(request.params.id, request.body, actorOf(request)),
  );

  app.delete(
    "/api/advertisers/:id",
    {
      config: edit,
      schema: {
        tags,
        summary: "Remove an advertiser without campaigns",
        params,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await campaigns.removeAdvertiser(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/advertisers/:id/share",
    {
      config: edit,
      schema: {
        tags,
        summary: "Create a secret URL that shows an advertiser's report",
        params,
        response: { 201: shareKey },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await campaigns.share(request.params.id, actorOf(request))),
  );

  app.delete(
    "/api/advertisers/:id/share",
    {
      config: edit,
      schema: { tags, summary: "Delete the secret URL", params, response: { 204: noBody } },
    },
    async (request, reply) => {
      await campaigns.unshare(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );
}

function registerCampaignCalls(app: App, campaigns: CampaignsService): void {
  app.get(
    "/api/campaigns",
    {
      config: read,
      schema: { tags, summary: "List all campaigns", response: { 200: campaignList } },
    },
    () => campaigns.listCampaigns(),
  );

  app.post(
    "/api/campaigns",
    {
      config: { ...edit, isIdempotent: true },
      schema: {
        tags,
        summary: "Add a campaign",
        body: campaignBody,
        response: { 201: campaignResponse },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await campaigns.saveCampaign(null, request.body, actorOf(request))),
  );

  app.get(
    "/api/campaigns/:id",
    {
      config: read,
      schema: {
        tags,
        summary: "Get a campaign with its ads and their click rates",
        params,
        response: { 200: campaignDetails },
      },
    },
    (request) => campaigns.getCampaign(request.params.id),
  );

  app.put(
    "/api/campaigns/:id",
    {
      config: edit,
      schema: {
        tags,
        summary: "Replace the fields of a campaign",
        params,
        body: campaignBody,
        response: { 200: campaignResponse },
      },
    },
    (request) => campaigns.saveCampaign(request.params.id, request.body, actorOf(request)),
  );

  app.delete(
    "/api/campaigns/:id",
    {
      config: edit,
      schema: { tags, summary: "Remove a campaign without ads", params, response: { 204: noBody } },
    },
    async (request, reply) => {
      await campaigns.removeCampaign(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );
}
