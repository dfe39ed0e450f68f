// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listScripts } from "../../contract/html-sources.ts";
import { mountTrustedHtml } from "./trusted-html.ts";

const started: string[] = [];
let box: HTMLElement;

beforeEach(() => {
  started.length = 0;
  box = document.body.appendChild(document.createElement("div"));
  // happy-dom loads no scripts, so the setter simulates this.
  vi.spyOn(HTMLScriptElement.prototype, "src", "set").mockImplementation(function (
    this: HTMLScriptElement,
    src: string,
  ) {
    started.push(src);
    this.setAttribute("data-src", src);
  });
});
afterEach(() => document.body.replaceChildren());

const live = () => new AbortController().signal;
const scriptAt = (index: number) => {
  const script = box.querySelectorAll("script")[index];
  if (script === undefined) throw new Error(`no script ${index}`);
  return script;
};
const finish = async (index: number, event = "load") => {
  scriptAt(index).dispatchEvent(new Event(event));
  await Promise.resolve();
};

test("starts scripts one after another and gives inline scripts a URL with their index and the page", async () => {
  const done = mountTrustedHtml(
    box,
    `<p>own</p><script>a()</script><script type="application/ld+json">{}</script>
     <script src="https://cdn.test/b.js" data-key="1"></script><script type="module">c()</script>`,
    "ad-1",
    live(),
  );
  expect(box.querySelector("p")?.textContent).toBe("own");
  expect(started).toEqual(["/spots/script/ad-1/0?page=%2F"]);
  await finish(0);
  expect(started).toEqual(["/spots/script/ad-1/0?page=%2F", "https://cdn.test/b.js"]);
  expect(scriptAt(2).getAttribute("data-key")).toBe("1");
  await finish(2);
  await finish(3);
  await done;
  expect(started.at(-1)).toBe("/spots/script/ad-1/2?page=%2F");
});

test.each([
  "<template><script>x()</script></template>",
  "<style><script>x()</script></style>",
  '<p title="<script>x()</script>"></p>',
])("requests the right inline script after %s", async (inert) => {
  const html = `${inert}<script>\r\nreal()</script>`;
  const index = listScripts(html).findIndex(({ code }) => code.includes("real()"));
  const done = mountTrustedHtml(box, html, "ad-1", live());
  expect(started).toEqual([`/spots/script/ad-1/${index}?page=%2F`]);
  box.querySelectorAll("script").item(0).dispatchEvent(new Event("load"));
  await done;
});

test("starts the next script after one that fails to load", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const html = '<script src="https://cdn.test/gone.js"></script><script>next()</script>';
  const done = mountTrustedHtml(box, html, "ad-1", live());
  await finish(0, "error");
  expect(started).toEqual(["https://cdn.test/gone.js", "/spots/script/ad-1/1?page=%2F"]);
  await finish(1);
  await done;
});

test("starts no script after an abort", async () => {
  const life = new AbortController();
  const done = mountTrustedHtml(box, "<script>a()</script><script>b()</script>", "ad", life.signal);
  life.abort();
  await finish(0);
  await done;
  expect(started).toHaveLength(1);
});

test("inserts document.write output after its script and joins several writes to one tag", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const done = mountTrustedHtml(box, "<script>w()</script><p>after</p>", "ad", live());
  document.write("<em>wr");
  document.write("itten</em><script>evil()</script>", '<script src="/x.js"></script>');
  await finish(0);
  await done;
  expect([...box.children].map(({ tagName }) => tagName)).toEqual([
    "SCRIPT",
    "EM",
    "SCRIPT",
    "SCRIPT",
    "P",
  ]);
  expect(box.querySelector("em")?.textContent).toBe("written");
  // An inline script that was written isn't part of the stored ad, so it has no URL.
  expect(started).toHaveLength(2);
  expect(document.body.contains(box)).toBe(true);
});

test("runs no scripts in a browser that remembers a user", async () => {
  localStorage.setItem("user", "{}");
  try {
    await mountTrustedHtml(box, "<p>own</p><script>a()</script>", "ad", live());
    expect([box.childElementCount, started]).toEqual([0, []]);
  } finally {
    localStorage.removeItem("user");
  }
});
