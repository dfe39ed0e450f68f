import { z } from "zod";
import {
  likeStatus,
  midrollAnswer,
  video,
  videoList,
  videoListQuery,
  videoUpdate,
  watchAnswer,
  watchBody,
} from "../../../contract/videos.ts";
import { actorOf } from "../../http/actor.ts";
import type { App } from "../../http/app.ts";
import type { Visitors } from "../../http/visitors.ts";
import type { LikesService } from "../engagement/likes.service.ts";
import type { VideosService, Viewer } from "./videos.service.ts";
import type { WatchService } from "../engagement/watch.service.ts";

const params = z.object({ id: z.string().min(1).max(200) });
const tags = ["videos"];

interface Deps {
  videos: VideosService;
  likes: LikesService;
  watches: WatchService;
  visitors: Visitors;
}

export const viewerOf = (request: { user: { role: string } | null }): Viewer => ({
  isAdmin: request.user?.role === "ADMIN",
});

export function registerVideoRoutes(app: App, deps: Deps): void {
  const { videos } = deps;

  app.get(
    "/api/videos",
    {
      config: { policy: "public", cache: { ttlMs: 1000 } },
      schema: {
        tags,
        summary: "Videos by filter and sort; drafts too for an admin",
        querystring: videoListQuery,
        response: { 200: videoList },
      },
    },
    (request) => videos.list(request.query, viewerOf(request)),
  );

  app.get(
    "/api/videos/:id",
    {
      config: { policy: "public", cache: { ttlMs: 1000 } },
      schema: { tags, summary: "One video by id or slug", params, response: { 200: video } },
    },
    (request) => videos.get(request.params.id, viewerOf(request)),
  );

  app.get(
    "/api/videos/:id/related",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags,
        summary: "Up to 6 related videos",
        params,
        response: { 200: z.array(video) },
      },
    },
    (request) => videos.listRelated(request.params.id, viewerOf(request)),
  );

  app.get(
    "/api/videos/:id/midroll",
    {
      config: { policy: "public", cache: { ttlMs: 5000 } },
      schema: {
        tags,
        summary: "When mid-rolls may come",
        params,
        response: { 200: midrollAnswer },
      },
    },
    async (request) => ({
      config: { times: await videos.listMidrollTimes(request.params.id, viewerOf(request)) },
    }),
  );

  app.put(
    "/api/videos/:id",
    {
      config: { policy: "admin" },
      schema: {
        tags,
        summary: "Change a video; absent fields stay as they are",
        params,
        body: videoUpdate,
        response: { 200: video },
      },
    },
    (request) => videos.update(request.params.id, request.body, actorOf(request)),
  );

  app.delete(
    "/api/videos/:id",
    {
      config: { policy: "admin" },
      schema: { tags, summary: "Delete a video and its media", params },
    },
    async (request, reply) => {
      await videos.remove(request.params.id, actorOf(request));
      return reply.status(204).send();
    },
  );

  app.post(
    "/api/videos/:id/retry",
    {
      config: { policy: "admin" },
      schema: { tags, summary: "Process a failed video again", params, response: { 200: video } },
    },
    (request) => videos.retry(request.params.id, actorOf(request)),
  );

  registerEngagementRoutes(app, deps);
}

function registerEngagementRoutes(app: App, deps: Deps): void {
  const { videos, likes, watches, visitors } = deps;
  const noStore = { "cache-control": "no-store" };

  app.get(
    "/api/videos/:id/like",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "This visitor's like and the count",
        params,
        response: { 200: likeStatus },
      },
    },
    async (request, reply) => {
      const id = await videos.getId(request.params.id, viewerOf(request));
      void reply.headers(noStore);
      return likes.status(id, visitors.find(request));
    },
  );

  app.post(
    "/api/videos/:id/like",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Like, or withdraw the like",
        params,
        response: { 200: likeStatus },
      },
    },
    async (request, reply) => {
      const id = await videos.getId(request.params.id, viewerOf(request));
      return likes.toggle(id, visitors.ensure(request, reply));
    },
  );

  app.post(
    "/api/videos/:id/watch",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Report seconds watched; counts one view per visitor and 30 minutes",
        params,
        body: watchBody,
        response: { 202: watchAnswer },
      },
    },
    async (request, reply) => {
      const videoId = await videos.getId(request.params.id, viewerOf(request));
      const counted = await watches.report({
        visitorId: visitors.ensure(request, reply),
        videoId,
        watchTimeS: request.body.watchTime,
        isCompleted: request.body.completed,
        addressKey: visitors.addressKey(request),
      });
      return reply.status(202).send({ counted });
    },
  );

  app.get(
    "/api/videos/:id/favorite",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Whether this visitor saved the video",
        params,
        response: { 200: z.object({ isFavorite: z.boolean() }) },
      },
    },
    async (request, reply) => {
      const id = await videos.getId(request.params.id, viewerOf(request));
      void reply.headers(noStore);
      return { isFavorite: await likes.isFavorite(id, visitors.find(request)) };
    },
  );

  for (const method of ["POST", "DELETE"] as const) {
    app.route({
      method,
      url: "/api/videos/:id/favorite",
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: method === "POST" ? "Save the video" : "Forget the saved video",
        params,
        response: { 200: z.object({ isFavorite: z.boolean() }) },
      },
      handler: async (request, reply) => {
        const id = await videos.getId(request.params.id, viewerOf(request));
        const isFavorite = method === "POST";
        await likes.setFavorite(id, visitors.ensure(request, reply), isFavorite);
        return { isFavorite };
      },
    });
  }
}
