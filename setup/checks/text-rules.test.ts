import { expect, test } from "vitest";
import { findLooseLinks } from "./link-rules.ts";
import { findLooseTexts } from "./text-rules.ts";

const page = "src/web/features/home/x.tsx";
const texts = (code: string, file = page) => findLooseTexts(file, code).length;
const links = (code: string, file = page) => findLooseLinks(file, code).length;
const withMessages = (code: string) =>
  `import { homeMessages as messages } from "./messages.ts";\n${code}`;

test.each([
  "const x = <p>Hello</p>;",
  "const x = <p>{name}.</p>;",
  'const x = <button aria-label="Close" />;',
  "const x = <Field label={`Name ${n}`} />;",
  'const x = "No problems found.";',
  "const x = { hint: `Sent to ${n} people` };",
  withMessages("const x = `${messages.title}: ${n}`;"),
])("finds a text outside the language files: %s", (code) => {
  expect(texts(code)).toBe(1);
  // The back office is in English.
  expect(texts(code, "src/web/features/admin/home/x.tsx")).toBe(0);
});

test.each([
  withMessages("const x = <p>{messages.title} · {n}</p>;"),
  withMessages("const x = <p aria-label={messages.named(n)} className='a b' />;"),
  'console.warn("Listing videos failed", error);',
  'throw new TypeError("There is no element.");',
  'type Kind = "Not read by anyone.";',
  'const x = "ArrowLeft";',
])("ignores a text that visitors don't read: %s", (code) => {
  expect(texts(code)).toBe(0);
});

test.each([
  'const x = <a href="/home">{t}</a>;',
  "const x = <a href={`/tags/${slug}`}>{t}</a>;",
  "const x = <a href={videoHref(slug)}>{t}</a>;",
  'const x = <form action="/search" />;',
  'window.location.assign("/home");',
  "link.href = href;",
])("finds a link that leaves the language: %s", (code) => {
  expect(links(code)).toBe(1);
});

test.each([
  'const x = <a href={pagePath("/home")}>{t}</a>;',
  'const x = <a href="/admin/videos">{t}</a>;',
  'const x = <a href="#content">{t}</a>;',
  "const x = <a href={`${kind}/${slug}/feed.rss`}>{t}</a>;",
  "const x = <a href={urlWithPrefix(code)} hrefLang={code}>{t}</a>;",
  "const x = <form action={`/api/videos/${slug}/reports`} />;",
  "void navigate(path);",
])("accepts a link that keeps the language or has none: %s", (code) => {
  expect(links(code)).toBe(0);
});
