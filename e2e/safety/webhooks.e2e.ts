import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "#test/app.ts";
import { makeDraft } from "#test/factories/make-video.ts";
import { openAdmin } from "../support/admin-support.ts";
import { phone } from "../support/browser.ts";
import { usePages } from "../support/shared-site.ts";

let receiver: Server;
let address = "";
const inbox: { signature: string; body: string }[] = [];

const app = usePages({ work: true, env: { WEBHOOK_NETWORKS: "127.0.0.1" } });
beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      inbox.push({ signature: String(request.headers["kinora-signature"]), body });
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const bound = receiver.address();
  address = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}/`;
});
afterAll(() => {
  receiver.close();
});

it("publishes from a small client with a token and notifies it by a webhook", async () => {
  const draft = await makeDraft(app.db, { title: "By a program" });
  const { page } = await openAdmin(app, { ...phone, path: "/admin/webhooks" });
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(address);
  await dialog.getByLabel("Video is ready to play").uncheck();
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  const secret = await page.getByRole("textbox", { name: "Webhook secret" }).inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText(address, { exact: true }).waitFor();

  await page.goto("/admin/account");
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name").last().fill("Publisher");
  await page.getByLabel("Publish, unpublish and schedule videos").check();
  await page.getByRole("dialog").getByRole("button", { name: "New token" }).click();
  const shown = page.getByRole("dialog").locator("input[readonly]");
  await shown.waitFor();
  const token = await shown.inputValue();

  const published = await createClient(app.url).call(
    "PUT",
    `/api/videos/${draft.id}`,
    { isPublished: true },
    { authorization: `Bearer ${token}` },
  );
  expect(published.status).toBe(200);
  await expect.poll(() => inbox.length).toBe(1);
  const { signature, body } = inbox[0] ?? { signature: "", body: "" };
  const [, seconds = "", hash = ""] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? [];
  expect(hash).toBe(createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex"));
  expect(JSON.parse(body)).toMatchObject({
    event: "video.published",
    data: { video: { id: draft.id, title: "By a program" } },
  });

  await page.goto("/admin/webhooks");
  await page.getByRole("button", { name: `Manage ${address}` }).click();
  await page.getByRole("menuitem", { name: "Log" }).click();
  await page.getByRole("dialog").getByText("Delivered").waitFor();
  await page.getByRole("button", { name: "Resend" }).click();
  await expect.poll(() => inbox.length).toBe(2);
});
