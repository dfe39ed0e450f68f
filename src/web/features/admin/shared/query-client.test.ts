// @vitest-environment happy-dom
import { MutationObserver, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { toast } from "#web/components/ui/toast.tsx";
import { createAdminQueryClient } from "./query-client.ts";

const queryKey = ["admin", "things"];

async function change(mutationFn: () => Promise<void>) {
  const client = createAdminQueryClient();
  const read = vi.fn(() => Promise.resolve("things"));
  const stop = new QueryObserver(client, { queryKey, queryFn: read }).subscribe(() => undefined);
  await vi.waitFor(() => expect(client.getQueryData(queryKey)).toBe("things"), 30_000);
  const success = vi.spyOn(toast, "success");
  const meta = { success: "Thing removed", failure: "Failed to remove", refreshes: ["admin"] };
  await new MutationObserver(client, { mutationFn, meta }).mutate().catch(() => undefined);
  await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(2), 30_000);
  stop();
  return success;
}

it("reports the success of an action and reloads its queries", async () => {
  const success = await change(() => Promise.resolve());
  expect(success).toHaveBeenCalledWith("Thing removed");
});

it("reloads the queries of an action that failed", async () => {
  const success = await change(() => Promise.reject(new Error("offline")));
  expect(success).not.toHaveBeenCalled();
});
