import { z } from "zod";
import { createHash } from "node:crypto";
import { queryText } from "#contract/lists/paging.ts";
import type { App } from "#server/http/app.ts";
import { AppError } from "#server/lib/app-error.ts";
import { adParams } from "../../contract/ads.ts";
import { isPolicyOrigin, originLimits } from "../../contract/ad-origins.ts";
import { listScripts, originsOfAd } from "../../contract/html-sources.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import type { AdDelivery } from "../delivery/ad-delivery.service.ts";
import { canGetTrustedAds, type AdPolicy } from "../delivery/ad-policy.ts";
import { isBreak } from "../rules/delivery-rules.ts";
import { frameAncestors } from "#server/http/access/security-headers.ts";
import { frameSandbox, pageLinks, supportsColorScheme } from "../../contract/ad-frame.ts";

const fixedHeaders = {
  "content-type": "text/html; charset=utf-8",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "permissions-policy":
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), fullscreen=(), autoplay=()",
};

/**
 * Returns the headers of the documents that run an isolated ad's HTML. Pictures, styles, videos and
 * requests may come from anywhere, scripts and frames only from the origins.
 * @param isInEmbeds true if the document may also be in an embed on another site.
 */
function frameHeaders(origins: readonly string[], isInEmbeds = false): Record<string, string> {
  const policy = [
    `sandbox ${frameSandbox}`,
    "default-src * data: blob: 'unsafe-inline'",
    ["script-src 'unsafe-inline' 'unsafe-eval' data: blob:", ...origins].join(" "),
    ["frame-src data: blob:", ...origins].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    ...frameAncestors(isInEmbeds ? "everyone" : "site"),
  ];
  return { ...fixedHeaders, "content-security-policy": policy.join("; ") };
}

/** Returns a string literal that is safe inside an inline script. */
const scriptString = (text: string) => JSON.stringify(text).replaceAll("<", "\\u003c");
const attribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/**
 * Returns a script that runs before the ad in its document, so the ad can do all of this, too. It
 * reports the content's height and clicks, and lets links open new tabs. Links to `#` do nothing by
 * themselves, because they would replace the ad with a page of the site. `javascript:` links are
 * evaluated here, because Chromium doesn't run them in a document with an opaque origin. A click that
 * hits no link or control opens the ad's link, unless the ad opens a window itself. Such a window
 * counts as a click, because HTML5 banners follow their links with scripts, some of them before the
 * click event.
 */
const messenger = (linkUrl: string | null) => `(function(){
var link=${scriptString(linkUrl ?? "")};
var send=function(m){try{parent.postMessage(m,"*")}catch(e){}};
var last=-1;
var measure=function(){
var d=document.documentElement,b=document.body;if(!b)return;
var h=Math.ceil(Math.max(b.scrollHeight,b.getBoundingClientRect().height));
if(h!==last){last=h;send({spot:"size",heightPx:h,widthPx:Math.ceil(d.scrollWidth)})}};
addEventListener("DOMContentLoaded",function(){measure();
if(window.ResizeObserver)new ResizeObserver(measure).observe(document.body)});
addEventListener("load",measure);
var open=window.open,opened=false;
addEventListener("pointerdown",function(){opened=false},true);
window.open=function(){opened=true;send({spot:"click"});return open.apply(window,arguments)};
var at=function(e,selector){return e.target&&e.target.closest?e.target.closest(selector):null};
var linkAt=function(e){return at(e,'${pageLinks}')};
addEventListener("click",function(e){var a=linkAt(e);
if(a){a.target="_blank";a.rel="noopener noreferrer sponsored"}
if(at(e,':is(a,area)[href^="#"]'))e.preventDefault()},true);
addEventListener("click",function(e){
if(!e.isTrusted)return;
if(linkAt(e))return send({spot:"click"});
var script=at(e,':is(a,area)[href^="javascript:" i]');
if(script&&!e.defaultPrevented){e.preventDefault();
var code=script.getAttribute("href").slice(11);
try{code=decodeURIComponent(code)}catch(_){}
return (0,eval)(code)}
var control=at(e,"button,input,select,textarea,label,video,audio,[onclick],[role=button]");
if(control||opened||e.defaultPrevented||link==="")return;
send({spot:"click"});
open(link,"_blank","noopener,noreferrer")});
})();`;

/**
 * Sets the white background here, because a white frame would flash on a dark page while it loads.
 * Ads that support color schemes choose their own.
 */
const styleOf = (content: string) => `html,body{margin:0;padding:0}
${supportsColorScheme(content) ? "" : ":where(body){background:#fff}"}
body{font:16px/1.4 system-ui,sans-serif;overflow-wrap:anywhere;display:flow-root}
img,video{max-width:100%;height:auto}
@media (prefers-reduced-motion:reduce){*,::before,::after{animation-duration:1ms!important;animation-iteration-count:1!important;transition-duration:1ms!important}}`;

/** Returns the document around an ad's HTML. */
function creativeDocument(content: string, linkUrl: string | null, script = ""): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Advertisement</title><style>${styleOf(content)}</style><script>${messenger(linkUrl)}${script}</script></head><body>${content}</body></html>`;
}

/**
 * Script around the ad, in a document of another origin. A gesture in the ad also activates this
 * document, but a gesture elsewhere in the page doesn't: `hasBeenActive` proves that the visitor
 * touched the ad. Only then does it pass a click on, once. The creative is added after the load
 * event, which tells the page that the frame is on screen.
 */
const guard = `(function(){
var creative=document.querySelector("template").content.firstElementChild;
if(name==="fixed")creative.scrolling="no";
var isClicked=false;
addEventListener("message",function(e){
var m=e.data;
if(e.source!==creative.contentWindow||e.source===null||!m)return;
if(m.spot==="size")return parent.postMessage({spot:"size",heightPx:m.heightPx,widthPx:m.widthPx},"*");
var activation=navigator.userActivation;
if(m.spot!=="click"||isClicked||!activation||!activation.hasBeenActive)return;
isClicked=true;
parent.postMessage({spot:"click"},"*")});
addEventListener("load",function(){document.body.append(creative)});
})();`;

const guardStyle = `:root{color-scheme:light dark}
html,body{margin:0;height:100%;overflow:hidden}
iframe{display:block;width:100%;height:100%;border:0}`;

/** Returns the document of one ad: a guard script, and inside it the ad in a separate document. */
function frameDocument(content: string, linkUrl: string | null): string {
  const creative = attribute(creativeDocument(content, linkUrl));
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Advertisement</title><style>${guardStyle}</style></head><body>
<template><iframe title="Advertisement" sandbox="${frameSandbox}" referrerpolicy="no-referrer" srcdoc="${creative}"></iframe></template>
<script>${guard}</script></body></html>`;
}

/** Script that reports blocked requests to the preview. */
const reporter = `addEventListener("securitypolicyviolation",function(e){
parent.postMessage({spot:"blocked",directive:e.effectiveDirective,address:e.blockedURI},"*")});`;

const [shellStart = "", shellEnd = ""] = creativeDocument("\u0000", null, reporter).split("\u0000");

/**
 * Empty document for the back office's preview. A page of this site sends it the ad's HTML once. It
 * has the same headers as an ad's document. Its own origin is opaque, but `location.origin` is that
 * of its address.
 */
const previewDocument = `<!doctype html><meta charset="utf-8"><title>Preview</title><script>
addEventListener("message",function(e){
if(e.origin!==location.origin||!e.data||typeof e.data.spotHtml!=="string")return;
var html=${scriptString(shellStart)}+e.data.spotHtml+${scriptString(shellEnd)};
document.open();document.write(html);document.close()});
try{parent.postMessage({spot:"ready"},"*")}catch(e){}
</script>`;

function etagOf(text: string): string {
  return `"${createHash("sha1").update(text).digest("base64url")}"`;
}

const scriptParams = adParams.extend({ index: z.string().regex(/^\d{1,3}$/) });
/** Page that runs the script. */
const scriptQuery = z.object({ page: queryText(200) });

const previewQuery = z.object({
  /** Origins of the edited ad, separated by commas. */
  origins: z
    .string()
    .max(2 * originLimits.ad * originLimits.length)
    .default("")
    .transform((text) => text.split(",").filter((origin) => origin !== ""))
    .pipe(z.array(z.string().refine(isPolicyOrigin)).max(2 * originLimits.ad)),
});

/** Routes of ads' documents and scripts, the same for every visitor. */
export function registerFrameRoutes(
  app: App,
  deps: { delivery: AdDelivery; policy: AdPolicy; settings: SettingsService },
): void {
  const { delivery, policy, settings } = deps;
  const config = { policy: "public" } as const;

  app.get(
    "/spots/frame/:id",
    { config, schema: { hide: true, params: adParams } },
    async (request, reply) => {
      const live = await delivery.findLive(request.params.id);
      const content = live?.row.content ?? null;
      if (live === null || content === null) throw new AppError("not_found", "Ad not found");
      const html = frameDocument(content, live.row.link_url);
      const headers = frameHeaders(
        await policy.ofFrame(originsOfAd(live.row)),
        isBreak(live.row.placement) && (await settings.current()).adsInEmbeds,
      );
      // The policy is part of the cached document.
      const etag = etagOf(headers["content-security-policy"] + html);
      void reply.headers({ ...headers, etag, "cache-control": "no-cache" });
      if (request.headers["if-none-match"]?.includes(etag) === true)
        return reply.status(304).send();
      return reply.send(html);
    },
  );

  app.get(
    "/spots/preview",
    { config, schema: { hide: true, querystring: previewQuery } },
    async (request, reply) =>
      reply
        .headers(frameHeaders(await policy.ofFrame(request.query.origins)))
        .header("cache-control", "no-cache")
        .send(previewDocument),
  );

  // The pages' policy forbids inline scripts, so those of trusted ads get a URL.
  app.get(
    "/spots/script/:id/:index",
    { config, schema: { hide: true, params: scriptParams, querystring: scriptQuery } },
    async (request, reply) => {
      // As a worker, it would go on running after its page was left.
      const { "sec-fetch-dest": destination = "script" } = request.headers;
      const isAllowed = destination === "script" && canGetTrustedAds(request, request.query.page);
      const live = isAllowed ? await delivery.findLive(request.params.id) : null;
      const content = live?.row.trust === "page" ? live.row.content : null;
      const script = listScripts(content ?? "")[Number(request.params.index)];
      if (script === undefined || script.src !== null) {
        throw new AppError("not_found", "Script not found");
      }
      return reply
        .type("text/javascript; charset=utf-8")
        .header("cache-control", "no-store")
        .send(script.code);
    },
  );
}
