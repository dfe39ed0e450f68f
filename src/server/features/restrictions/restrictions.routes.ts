import { z } from "zod";
import type { App } from "#server/http/app.ts";
import { simplePagePolicy, tooYoungPage } from "./age-page.ts";
import { ageCookie, type RestrictionsService } from "./restrictions.service.ts";

const oneYearS = 365 * 24 * 3600;

/** Accepts only paths of this site. */
const safeNext = (next: string): string => (/^\/(?![/\\])[^\s\\]*$/.test(next) ? next : "/");

/** Stores the confirmation from the age page, whose form works without scripts. */
export function registerAgeRoute(
  app: App,
  { restrictions }: { restrictions: Pick<RestrictionsService, "simplePage"> },
): void {
  app.post(
    "/api/age",
    {
      config: { policy: "public" },
      schema: {
        tags: ["age"],
        summary: "Confirm whether the visitor is 18 or older, and return to a page",
        body: z.object({ adult: z.enum(["yes", "no"]), next: z.string().max(8000).default("/") }),
      },
    },
    async (request, reply) => {
      const next = safeNext(request.body.next);
      if (request.body.adult === "no") {
        return reply
          .headers({
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": simplePagePolicy(next.startsWith("/embed/")),
            "cache-control": "no-store",
          })
          .send(tooYoungPage(restrictions.simplePage(request.raw, next)));
      }
      // In another site's frame, browsers only accept a partitioned cookie.
      const isFramed = next.startsWith("/embed/") && request.protocol === "https";
      const place = isFramed ? "SameSite=None; Partitioned" : "SameSite=Lax";
      const secure = request.protocol === "https" ? "; Secure" : "";
      const cookie = `${ageCookie}=1; Path=/; Max-Age=${oneYearS}; HttpOnly; ${place}${secure}`;
      return reply.header("set-cookie", cookie).redirect(next, 303);
    },
  );
}
