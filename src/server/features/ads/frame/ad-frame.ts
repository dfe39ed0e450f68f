import { createHash } from "node:crypto";
import { frameSandbox } from "../../../../contract/ad-frame.ts";

/** Headers of the document in which the HTML of an isolated ad runs. */
export const frameHeaders: Record<string, string> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    `sandbox ${frameSandbox}`,
    "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
  "permissions-policy":
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), fullscreen=(), autoplay=()",
};

/**
 * Runs before the ad: reports the height of the content and clicks to the page around the frame. The
 * page accepts messages only from this frame, and clamps the sizes (`readFrameMessage`).
 */
const messenger = `(function(){
var send=function(m){try{parent.postMessage(m,"*")}catch(e){}};
var last=-1;
var measure=function(){
var d=document.documentElement,b=document.body;if(!b)return;
var h=Math.ceil(Math.max(b.scrollHeight,b.getBoundingClientRect().height));
if(h!==last){last=h;send({spot:"size",heightPx:h,widthPx:Math.ceil(d.scrollWidth)})}};
addEventListener("DOMContentLoaded",function(){measure();
if(window.ResizeObserver)new ResizeObserver(measure).observe(document.body)});
addEventListener("load",function(){measure();send({spot:"load"})});
addEventListener("click",function(e){
if(!e.isTrusted)return;
var t=e.target&&e.target.closest?e.target.closest("a[href],area[href],button,input,select,textarea,label,video,audio,[onclick],[role=button]"):null;
if(t&&(t.tagName==="A"||t.tagName==="AREA"))send({spot:"follow"});
else if(!t&&!e.defaultPrevented)send({spot:"click"})});
})();`;

const style = `html,body{margin:0;padding:0}
body{font:16px/1.4 system-ui,sans-serif;overflow-wrap:anywhere;display:flow-root}
img,video{max-width:100%;height:auto}`;

const head = `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Advertisement</title><style>${style}</style><script>${messenger}</script>`;

/** Links of the ad open a new tab. The base element is the frame's, not the ad's. */
const openLinksInTabs = `<script>addEventListener("click",function(e){
var a=e.target&&e.target.closest?e.target.closest("a[href],area[href]"):null;
if(a){a.target="_blank";a.rel="noopener noreferrer sponsored"}},true);</script>`;

/** The document of one ad. */
export function frameDocument(content: string): string {
  return `${head}${openLinksInTabs}</head><body>${content}</body></html>`;
}

/** A string literal that is safe inside an inline script. */
const scriptString = (text: string) => JSON.stringify(text).replaceAll("<", "\\u003c");
const [shellStart = "", shellEnd = ""] = frameDocument("\u0000").split("\u0000");

/**
 * An empty document that becomes the ad whose HTML the page around it sends, once: the preview in the
 * back office. It has the same headers.
 */
export const previewDocument = `<!doctype html><meta charset="utf-8"><title>Preview</title><script>
addEventListener("message",function(e){
if(e.source!==parent||!e.data||typeof e.data.spotHtml!=="string")return;
var html=${scriptString(shellStart)}+e.data.spotHtml+${scriptString(shellEnd)};
document.open();document.write(html);document.close()});
try{parent.postMessage({spot:"ready"},"*")}catch(e){}
</script>`;

export function etagOf(text: string): string {
  return `"${createHash("sha1").update(text).digest("base64url")}"`;
}
