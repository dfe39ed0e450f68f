import type { FastifyRequest } from "fastify";
import { favoriteStatus, likeStatus } from "#contract/videos/marks.ts";
import { videoParams as params, watchResponse, watchBody } from "#contract/videos/videos.ts";
import type { App } from "#server/http/app.ts";
import { requireVideo } from "#server/http/access/video-gate.ts";
import { viewerOf } from "#server/http/access/policy.ts";
import { countryOf } from "#server/http/access/trusted-headers.ts";
import { deviceOf, looksLikeRobot } from "#server/http/access/user-agent.ts";
import type { Visitors } from "#server/http/access/visitors.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isUuid } from "#server/lib/ids.ts";
import type { VideosService } from "#server/features/videos/videos.service.ts";
import type { LikesService } from "./likes.service.ts";
import type { WatchService } from "./watch.service.ts";

const tags = ["videos"];

const noStore = { "cache-control": "no-store" };

interface EngagementDeps {
  videos: VideosService;
  likes: LikesService;
  watches: WatchService;
  visitors: Visitors;
  /** Header in which a proxy sends the visitor's country; null without one. */
  geoHeader: string | null;
}

/** Routes for liking, watching and saving a video. */
export function registerEngagementRoutes(app: App, deps: EngagementDeps): void {
  const { videos, likes, watches, visitors, geoHeader } = deps;
  registerFavoriteRoutes(app, deps);

  /**
   * Writes for the video in the request. The batch itself checks whether the video is listed, so
   * reports by id need no extra read. Slugs are looked up first, and for admins every video,
   * because they also see unlisted ones.
   * @param write resolves with null if the video isn't listed.
   */
  async function writeFor<T>(
    request: FastifyRequest<{ Params: { id: string } }>,
    write: (videoId: string) => Promise<T | null>,
  ): Promise<T | null> {
    const { id } = request.params;
    const viewer = viewerOf(request);
    const isKnown = !viewer.isAdmin && isUuid(id);
    if (isKnown) requireVideo(id.toLowerCase());
    const written = isKnown ? await write(id.toLowerCase()) : null;
    return written ?? write(await videos.getId(id, viewer));
  }

  app.get(
    "/api/videos/:id/like",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Get this visitor's like and the number of likes",
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
        summary: "Like a video, or withdraw the like",
        params,
        response: { 200: likeStatus },
      },
    },
    async (request, reply) => {
      const visitorId = visitors.ensureForAnotherYear(request, reply);
      const viewer = viewerOf(request);
      const addressGroup = visitors.addressGroupKey(request);
      const status = await writeFor(request, (videoId) =>
        likes.toggle({ videoId, visitorId, viewer, addressGroup }),
      );
      if (status === null) throw new AppError("not_found", "Video not found");
      return status;
    },
  );

  app.post(
    "/api/videos/:id/watch",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Report watched seconds; counts one view per visitor in 30 minutes",
        params,
        body: watchBody,
        response: { 202: watchResponse },
      },
    },
    async (request, reply) => {
      const { headers } = request;
      const { origin } = request.body;
      const visitorId = visitors.ensure(request, reply);
      // Global Privacy Control, and its predecessor.
      const hasOptedOut = headers["sec-gpc"] === "1" || headers["dnt"] === "1";
      const report = {
        visitorId,
        watchTimeS: request.body.watchTime,
        isCompleted: request.body.completed,
        origin,
        audience: hasOptedOut
          ? undefined
          : {
              bins: request.body.bins ?? "",
              country: countryOf(headers, geoHeader),
              device: deviceOf(headers["user-agent"]),
              isRobot: looksLikeRobot(headers["user-agent"]),
            },
        addressKey: visitors.addressKey(request),
        addressGroup: visitors.addressGroupKey(request),
      };
      const counted = await writeFor(request, (videoId) => watches.report({ ...report, videoId }));
      const visitor = visitors.carriedBack(request, visitorId, origin);
      return reply.status(202).send({ counted: counted ?? false, visitor });
    },
  );
}

function registerFavoriteRoutes(app: App, { videos, likes, visitors }: EngagementDeps): void {
  app.get(
    "/api/videos/:id/favorite",
    {
      config: { policy: "visitor" },
      schema: {
        tags,
        summary: "Get whether this visitor saved the video",
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
        summary: method === "POST" ? "Save the video" : "Remove the video from the saved ones",
        params,
        response: { 200: favoriteStatus },
      },
      handler: async (request, reply) => {
        const id = await videos.getId(request.params.id, viewerOf(request));
        const isFavorite = method === "POST";
        const visitorId = visitors.ensureForAnotherYear(request, reply);
        await likes.setFavorite(id, visitorId, isFavorite);
        return { isFavorite };
      },
    });
  }
}
