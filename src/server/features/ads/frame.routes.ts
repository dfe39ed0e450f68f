import { z } from "zod";
import type { App } from "../../http/app.ts";
import { AppError } from "../../lib/app-error.ts";
import type { AdDelivery } from "./ad-delivery.service.ts";
import { etagOf, frameDocument, frameHeaders, previewDocument } from "./ad-frame.ts";
import { listScripts } from "./html-scripts.ts";

const idParams = z.object({ id: z.string().min(1).max(100) });
const scriptParams = z.object({
  id: z.string().min(1).max(100),
  at: z.string().regex(/^\d{1,3}$/),
});

/** Documents and scripts of ads. They look at no cookie: the answer is the same for everybody. */
export function registerFrameRoutes(app: App, deps: { delivery: AdDelivery }): void {
  const { delivery } = deps;
  const config = { policy: "public" } as const;

  app.get(
    "/spots/frame/:id",
    { config, schema: { hide: true, params: idParams } },
    async (request, reply) => {
      const live = await delivery.findLive(request.params.id);
      const content = live?.row.content ?? null;
      if (content === null) throw new AppError("not_found", "Ad not found");
      const html = frameDocument(content);
      const etag = etagOf(html);
      void reply.headers({ ...frameHeaders, etag, "cache-control": "public, max-age=60" });
      if (request.headers["if-none-match"]?.includes(etag) === true)
        return reply.status(304).send();
      return reply.send(html);
    },
  );

  app.get("/spots/preview", { config, schema: { hide: true } }, async (_request, reply) =>
    reply.headers({ ...frameHeaders, "cache-control": "no-cache" }).send(previewDocument),
  );

  // The pages' policy forbids inline scripts: those of trusted ads come from an address instead.
  app.get(
    "/spots/script/:id/:at",
    { config, schema: { hide: true, params: scriptParams } },
    async (request, reply) => {
      const live = await delivery.findLive(request.params.id);
      const content = live?.row.trust === "page" ? live.row.content : null;
      const script = listScripts(content ?? "")[Number(request.params.at)];
      if (script === undefined || script.src !== null) {
        throw new AppError("not_found", "Script not found");
      }
      return reply
        .type("text/javascript; charset=utf-8")
        .header("cache-control", "no-cache")
        .send(script.code);
    },
  );
}
