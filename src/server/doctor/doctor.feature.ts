import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import { doctorReport, type Finding } from "#contract/site/doctor.ts";
import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connection.ts";
import type { Feature } from "#server/http/app.ts";
import type { Clock } from "#server/lib/clock.ts";
import type { Media } from "#server/media/media.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { SeenRequest } from "./check-addresses.ts";
import { checkNewestVideos } from "#server/features/videos/files/damaged-videos.ts";
import { examine } from "./examine.ts";
import { readServerState } from "./server-state.repository.ts";

/** Shows the findings of `npm run doctor` in the back office. */
export function createDoctorFeature(deps: {
  config: Config;
  db: Db;
  clock: Clock;
  media: Media;
  storage: Storage;
}): Feature {
  const { config, db, clock, media, storage } = deps;
  return {
    registerRoutes(app) {
      app.get(
        "/api/admin/doctor",
        {
          config: { policy: "settings.edit" },
          schema: {
            tags: ["admin"],
            summary: "Run the system check",
            response: { 200: doctorReport },
          },
        },
        async (request) => {
          const findings: Finding[] = [];
          const now = clock.date();
          const surroundings = {
            config,
            now,
            request: seenRequest(request),
            readState: () => readServerState(db),
            checkFiles: () => storage.checkHealth(),
            findMedia: () => Promise.resolve(media.report),
            findDamaged: () => checkNewestVideos(db, storage),
          };
          for await (const found of examine(surroundings)) findings.push(found);
          return { findings, host: hostname(), checkedAt: now.toISOString() };
        },
      );
    },
  };
}

function seenRequest(request: FastifyRequest): SeenRequest {
  const { socket, headers, ip, protocol, host } = request;
  const peer = socket.remoteAddress ?? "";
  const isForwarded = headers["x-forwarded-for"] !== undefined;
  return {
    peer: peer.replace(/^::ffff:/, ""),
    // The client's address differs from the connection's only behind a trusted proxy.
    isPeerTrusted: isForwarded && (request.ips?.length ?? 0) > 1 && ip !== "",
    isForwarded,
    origin: `${protocol}://${host}`,
  };
}
