import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RuleTester } from "oxlint/plugins-dev";
import { describe, it } from "vitest";
import plugin from "./plugin.ts";

RuleTester.describe = describe;
RuleTester.it = it;

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

function check(
  rule: keyof typeof plugin.rules,
  filename: string,
  cases: { invalid: string[]; valid: string[] },
): void {
  const at = (code: string) => ({ code, filename: join(root, filename) });
  new RuleTester().run(rule, plugin.rules[rule], {
    invalid: cases.invalid.map((code) => ({ ...at(code), errors: 1 })),
    valid: cases.valid.map(at),
  });
}

const withMessages = (code: string) => `const messages = inLanguage("home");\n${code}`;

check("imports", "src/server/lib/clock.ts", {
  invalid: [
    'import { app } from "../http/app.ts";',
    'import type { App } from "#server/http/app.ts";',
    'import "../http/app.ts";',
    'export { app } from "../http/app.ts";',
    'export * from "../http/app.ts";',
    'const lazy = () => import("../http/app.ts");',
    'import { startTestApp } from "#test/app.ts";',
  ],
  valid: [
    'import { codeOf } from "./error-code.ts";',
    "const later = (name: string) => import(name);",
    "const notAnImport = 'import x from \"../http/app.ts\"';",
    "export const x = 1;",
  ],
});

check("sql", "src/server/features/x/x.service.ts", {
  invalid: [
    "await sql<{ id: string }>`select 1`.execute(db);",
    "const part = sql`true`;",
    'await db.selectFrom("videos").execute();',
    'await trx.updateTable("videos").execute();',
    'await pool.query("select 1");',
  ],
  valid: ["await repository.findVideo(id);", "// sql`select 1`"],
});

check("listed", "demo/seed.ts", {
  invalid: [
    "const a = sql`where v.is_published and v.status = 'ready'`;",
    "const a = sql`where is_published = true AND status = 'ready'`;",
    'const a = row.is_published && row.status === "ready";',
    'query.where("is_published", "=", true)\n    .where("status", "=", "ready")',
    "const a = sql`status = 'ready' and is_published`;",
  ],
  valid: ["const a = sql`where is_listed`;"],
});

check("request-target", "src/server/http/a.ts", {
  invalid: [
    "request.url.startsWith('/api/')",
    "reply.request?.raw.url",
    "request.originalUrl",
    "const { url = '/', method } = request;",
    "const { url } = request.raw;",
    "const rewrite = { rewriteUrl: ({ url = '' }: IncomingMessage) => url }",
  ],
  valid: [
    "targetOf(request.raw).url",
    "request.routeOptions.url",
    "request.body.url",
    "const { url, format } = request.query;",
  ],
});

check("texts", "src/web/features/home/x.tsx", {
  invalid: [
    "const x = <p>Hello</p>;",
    "const x = <p>{name}.</p>;",
    'const x = <button aria-label="Close" />;',
    'const x = <button aria-label={"Close it."} />;',
    "const x = <Field label={`Name ${n}`} />;",
    'const x = "No problems found.";',
    "const x = { hint: `Sent to ${n} people` };",
    "const x = `Watch “${title}” on ${name}.`;",
    withMessages("const x = `${messages.title}: ${n}`;"),
  ],
  valid: [
    withMessages("const x = <p>{messages.title} · {n}</p>;"),
    withMessages("const x = <p aria-label={messages.named(n)} className='a b' />;"),
    'console.warn("Listing videos failed", error);',
    'throw new TypeError("There is no element.");',
    'type Kind = "Not read by anyone.";',
    'const x = "ArrowLeft";',
  ],
});

check("page-path", "src/web/features/home/x.tsx", {
  invalid: [
    'const x = <a href="/home">{t}</a>;',
    "const x = <a href={`/tags/${slug}`}>{t}</a>;",
    "const x = <a href={videoHref(slug)}>{t}</a>;",
    'const x = <form action="/search" />;',
    'window.location.assign("/home");',
    "link.href = href;",
  ],
  valid: [
    'const x = <a href={pagePath("/home")}>{t}</a>;',
    'const x = <a href="/admin/videos">{t}</a>;',
    'const x = <a href="#content">{t}</a>;',
    "const x = <a href={`${kind}/${slug}/feed.rss`}>{t}</a>;",
    "const x = <a href={urlWithPrefix(code)} hrefLang={code}>{t}</a>;",
    "const x = <form action={`/api/videos/${slug}/reports`} />;",
    "void navigate(path);",
  ],
});

check("sides", "src/web/card.tsx", {
  invalid: [
    '<p className="ml-2" />',
    '<p className="flex md:-mr-4" />',
    '<p className="sm:left-1/2" />',
    '<p className="text-right!" />',
    '<p className="rounded-tl-md" />',
    '<p className="border-l" />',
    '<p className={isOpen ? "pl-[3px]" : "border-2"} />',
  ],
  valid: [
    '<p className="ms-2 me-auto -inset-e-1 inset-y-0 text-start origin-left justify-left-over" />',
    "const left = { left: 3 }; // What is left - or right - of it.",
  ],
});
