import { createHash } from "node:crypto";
import type { Language } from "#contract/site/languages.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";
import {
  escapeHtml,
  simplePage,
  simplePagePolicy,
  type SimplePage,
} from "#server/features/restrictions/age-page.ts";
import type { OpenedPass } from "./membership.ts";

/**
 * Sends the code in the fragment by a form. The fragment reaches no server log, proxy or referrer,
 * and the code leaves the address before the request. A link that is opened on this page only changes
 * the fragment.
 */
const sendFragment = `const send=()=>{const code=location.hash.slice(1);if(code!==""){history.replaceState(null,"",location.pathname+location.search);const form=document.forms.namedItem("code");form.elements.namedItem("code").value=decodeURIComponent(code);form.submit()}};addEventListener("hashchange",send);send()`;
const scriptHash = createHash("sha256").update(sendFragment).digest("base64");

export const passPagePolicy = `${simplePagePolicy("nobody")}; script-src 'sha256-${scriptHash}'`;

const styles = `<style>input{width:100%;min-height:2.75rem;border:1px solid var(--line);border-radius:.5rem;padding:.5rem .75rem;background:none;color:var(--text);font:inherit;letter-spacing:.08em}
label{display:block;width:100%;font-weight:600}li form{margin:0}ul{margin:0 0 1.5rem;padding:0;list-style:none}li{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem;padding:.25rem 0}
form+form,ul+form,form+p{margin-top:1rem}[role=alert]{color:var(--text);font-weight:600}main>a{display:block;margin:.75rem 0;padding-inline:0;color:var(--text)}</style>`;

export interface PassView {
  /** Pass of the typed code, or else the one that this device uses. */
  pass: OpenedPass | null;
  /** Typed code; null if the page shows the device's own pass. */
  code: string | null;
  /** Why the typed code isn't accepted. */
  problem: "unknown" | "limited" | null;
  /** Page to return to. */
  next: string;
}

const hidden = (name: string, value: string | null) =>
  value === null ? "" : `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

/** Renders the page of a pass. Its forms work without scripts. */
export function passPage(page: SimplePage, view: PassView): string {
  const { pass } = visitorTexts(page.language);
  const body = [
    styles,
    view.problem === null ? "" : `<p role="alert">${escapeHtml(pass[view.problem])}</p>`,
    view.pass === null ? "" : passHtml(page.language, view.pass, view),
    view.pass === null ? `<p>${escapeHtml(pass.intro)}</p>` : "",
    `<form method="post" name="code">${hidden("next", view.next)}
<label for="code">${escapeHtml(view.pass === null ? pass.code : pass.otherCode)}</label>
<input id="code" name="code" required maxlength="60" autocomplete="off" autocapitalize="characters" spellcheck="false" dir="ltr">
<button name="do" value="look">${escapeHtml(pass.look)}</button></form>`,
    `<script>${sendFragment}</script>`,
  ];
  return simplePage(page, view.pass === null ? pass.title : pass.yourPass, body.join("\n"));
}

function passHtml(
  language: Language,
  opened: OpenedPass,
  { code, next }: Pick<PassView, "code" | "next">,
): string {
  const { pass } = visitorTexts(language);
  const dayOf = (date: Date) => date.toLocaleDateString(language, { dateStyle: "long" });
  const day = dayOf(opened.validUntil);
  const fields = hidden("code", code) + hidden("next", next);
  const state = {
    active: pass.validUntil(day),
    expired: pass.expired(day),
    revoked: pass.revoked,
  }[opened.state];
  const devices = opened.devices.map(({ id, name, lastUsedAt }) => {
    const isOwn = id === opened.ownDeviceId;
    const label = isOwn ? pass.thisDevice(name) : pass.device(name, dayOf(lastUsedAt));
    const action = isOwn ? pass.leave : pass.signOut;
    return `<li><bdi>${escapeHtml(label)}</bdi><form method="post">${fields}${hidden("device", id)}
<button name="do" value="out" aria-label="${escapeHtml(`${action}: ${name}`)}">${escapeHtml(action)}</button></form></li>`;
  });
  const isUsable = opened.state === "active" && opened.ownDeviceId === null;
  return [
    `<p>${escapeHtml(state)}</p>`,
    `<p>${escapeHtml(pass.devices(opened.devices.length, opened.maxDevices))}</p>`,
    devices.length === 0 ? "" : `<ul>${devices.join("")}</ul>`,
    opened.ownDeviceId !== null && opened.state === "active"
      ? `<p role="status">${escapeHtml(pass.inUse)}</p><a href="${escapeHtml(next)}">${escapeHtml(pass.watch)}</a>`
      : "",
    isUsable && opened.replaced !== null
      ? `<p role="alert">${escapeHtml(pass.full(opened.replaced.name))}</p>`
      : "",
    isUsable
      ? `<form method="post">${fields}${hidden("replaced", opened.replaced?.id ?? null)}
<button name="do" value="use" class="yes">${escapeHtml(opened.replaced === null ? pass.use : pass.replace(opened.replaced.name))}</button></form>`
      : "",
  ].join("\n");
}
