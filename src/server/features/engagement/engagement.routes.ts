import { favoriteStatus, likeStatus } from "../../../contract/marks.ts";
import { videoParams as params, watchResponse, watchBody } from "../../../contract/videos.ts";
import type { App } from "../../http/app.ts";
import { viewerOf } from "../../http/access/viewer.ts";
import type { Visitors } from "../../http/access/visitors.ts";
import type { VideosService } from "../library/videos.service.ts";
import type { LikesService } from "./likes.service.ts";
import type { WatchService } from "./watch.service.ts";

const tags = ["videos"];

/** What a visitor does with one video: like it, watch it, save it. */
export function registerEngagementRoutes(
  app: App,
  deps: { videos: VideosService; likes: LikesService; watches: WatchService; visitors: Visitors },
): void {
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
        response: { 202: watchResponse },
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
        response: { 200: favoriteStatus },
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
        response: { 200: favoriteStatus },
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
