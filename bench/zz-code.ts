import { chromium } from "playwright-core";
import { startDemoSite } from "./support/demo-site.ts";
const { site } = await startDemoSite({ hasAds: false });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", ...(process.env.LOGCODE ? ["--js-flags=--log-code --logfile=/tmp/tr/v8-%p.log --no-logfile-per-isolate " + (process.env.JSF ?? "")] : [])] });
const c = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
const page = await c.newPage();
await page.goto(site.url); await page.waitForTimeout(3000);
const client = await c.newCDPSession(page);
await client.send("HeapProfiler.enable");
const pace = Number(process.argv[2] ?? 350);
const size = async () => { for (let i = 0; i < 3; i++) await client.send("HeapProfiler.collectGarbage"); const { usedSize } = await client.send("Runtime.getHeapUsage"); const { nodes } = await client.send("Memory.getDOMCounters"); return { usedSize, nodes }; };
let first = 0; await page.locator("article").count(); await size();
for (let i = 1; i <= 301; i++) {
  await page.keyboard.press("ArrowDown"); await page.waitForTimeout(pace);
  if ([31, 101, 201, 301].includes(i)) { const s = await size(); if (i === 31) first = s.usedSize; console.log(i, s.usedSize, (s.usedSize / first).toFixed(3), s.nodes, await page.locator("article[aria-posinset]").count()); if (process.env.LOGCODE) console.log("ts", await page.evaluate(() => performance.now())); }
}
await browser.close(); await site.stop();
