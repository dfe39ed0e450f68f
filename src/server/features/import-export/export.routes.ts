import { Readable } from "node:stream";
import { exchangeActions, exchangeKinds, type ExchangeKind } from "#contract/videos/imports.ts";
import type { App } from "#server/http/app.ts";
import type { Clock } from "#server/lib/clock.ts";
import { exportCsv } from "./export-csv.ts";
import type { Exchange } from "./kinds/exchange.ts";

export function registerExportRoutes(
  app: App,
  { exchanges, clock }: { exchanges: Record<ExchangeKind, Exchange>; clock: Clock },
): void {
  for (const kind of exchangeKinds) {
    app.get(
      `/api/admin/export/${kind}`,
      {
        config: { policy: exchangeActions[kind].read },
        schema: { tags: ["import and export"], summary: `Download all ${kind} as CSV` },
      },
      async (_request, reply) => {
        const day = clock.date().toISOString().slice(0, 10);
        void reply
          .type("text/csv; charset=utf-8")
          .header("content-disposition", `attachment; filename="${kind}-${day}.csv"`);
        return reply.send(Readable.from(exportCsv(exchanges[kind])));
      },
    );
  }
}
