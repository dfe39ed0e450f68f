import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "#test/shared.ts";
import { makeClip, openAdmin, padClip, sha256Of } from "../support/admin-support.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { usePages } from "../support/shared-site.ts";

const megabyte = 1024 * 1024;
const dir = makeFolder("cut-connection");
const app = usePages();

it("sends 100 MB over a connection cut five times, resending at most 6 MB each time", async () => {
  const clip = join(dir, "long-clip.mp4");
  await makeClip(clip);
  await padClip(clip, 100 * megabyte);
  const { size } = await stat(clip);
  const proxy = await startCuttingProxy(
    app.url,
    [7, 25, 43, 63, 83].map((part) => part * megabyte),
  );
  const user = await openAdmin(app, { url: proxy.url, expectProblems: /./ });
  await user.page.goto("/admin/videos");
  await user.page.getByRole("button", { name: "Upload Video" }).first().click();
  const dialog = user.page.getByRole("dialog", { name: "Upload Video" });
  await dialog.locator("input[type=file]").first().setInputFiles([clip]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByLabel("Title").fill("Cut five times");
  await dialog.getByRole("button", { name: "Upload Video" }).click();
  await user.page.getByText("Video uploaded successfully").waitFor();
  expect(proxy.cuts()).toBe(5);
  expect(proxy.sentBytes()).toBeLessThan(size + 5 * 6 * megabyte);
  const video = await app.db.selectFrom("videos").selectAll().executeTakeFirstOrThrow();
  expect(video).toMatchObject({ title: "Cut five times", source_bytes: size });
  const stored = app.context.storage.withLocalFile(video.source_key ?? "", sha256Of);
  expect(await stored).toBe(await sha256Of(clip));
  await user.close();
  await proxy.stop();
});
