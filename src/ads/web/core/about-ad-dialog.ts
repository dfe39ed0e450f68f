import { adTargets, type AdTargets } from "../../contract/ads.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { createElement } from "./create-element.ts";
import "./about-ad-dialog.css";
import { inLanguage, pageLanguage } from "#web/lib/language/page-language.ts";
import { maxStopped, readStopped, stoppedCookie, stoppedKey } from "../../contract/stopped-ads.ts";
import { call } from "#web/lib/api/http.ts";

const messages = inLanguage("aboutAd");

/** Fetches the targeting of an ad. */
const fetchAdTargets = (adId: string): Promise<AdTargets> =>
  call(`/api/spots/${encodeURIComponent(adId)}/targets`, adTargets);

const keptS = 90 * 86_400;

/** Hides an ad in all lists for 90 days with a cookie in this browser. */
export function stopAd(adId: string): void {
  const prefix = `${stoppedCookie}=`;
  const cookie = document.cookie.split("; ").find((entry) => entry.startsWith(prefix));
  const stoppedKeys = readStopped(cookie?.slice(prefix.length) ?? "");
  const keys = [...stoppedKeys.filter((key) => key !== stoppedKey(adId)), stoppedKey(adId)];
  const value = keys.slice(-maxStopped).join(".");
  // In a frame on another site, browsers only accept a partitioned cookie.
  const isFramed = window.parent !== window && window.location.protocol === "https:";
  const place = isFramed ? "samesite=none; secure; partitioned" : "samesite=lax";
  document.cookie = `${prefix}${value}; path=/; max-age=${keptS}; ${place}`;
}

/**
 * Explains why an ad is shown and lets the visitor hide it. Uses a native dialog, because the
 * player's ads don't use React. When the dialog is closed, resolves with whether the ad was hidden.
 */
export function openAboutAd(adId: string): Promise<boolean> {
  const title = createElement("h2", "spot-dialog-title", messages.why);
  title.id = `about-${adId}`;
  const reasons = createElement("div", "spot-dialog-text");
  reasons.ariaLive = "polite";
  const close = createButton("quiet", messages.closeAbout, () => dialog.close());
  const stop = createButton("primary", messages.stop, () => {
    stopAd(adId);
    dialog.close("stopped");
  });
  const actions = createElement("div", "spot-dialog-actions", close, stop);
  const inner = createElement("div", "spot-dialog-inner", title, reasons, actions);
  const dialog = createElement("dialog", "spot-dialog", inner);
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.addEventListener("click", (event) => {
    // A click on the backdrop has the dialog itself as its target.
    if (event.target === dialog) dialog.close();
  });
  // Keys must only reach the dialog, not the player or the feed.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  fetchAdTargets(adId).then(
    (targets) => reasons.append(...reasonsOf(targets).map((text) => createElement("p", "", text))),
    () => reasons.append(messages.reasonUnknown),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "stopped");
    });
  });
}

function createButton(kind: "quiet" | "primary", text: string, onClick: () => void): HTMLElement {
  const button = createElement("button", buttonClass({ kind }), text);
  button.type = "button";
  button.addEventListener("click", onClick);
  return button;
}

/** Returns the reasons in plain words. */
function reasonsOf(targets: AdTargets): string[] {
  const { devices, languages, countries, hasReferrals } = targets;
  const { code } = pageLanguage();
  const list = new Intl.ListFormat(code, { type: "disjunction" });
  const languageNames = new Intl.DisplayNames(code, { type: "language" });
  const reasons: string[] = [];
  if (devices.length > 0) {
    reasons.push(
      messages.reasonDevices(list.format(devices.map((name) => messages.devices[name]))),
    );
  }
  if (languages.length > 0) {
    const names = languages.map((code) => languageNames.of(code) ?? code);
    reasons.push(messages.reasonLanguages(list.format(names)));
  }
  if (countries.length > 0) {
    const countryNames = new Intl.DisplayNames(code, { type: "region" });
    const names = countries.map((country) => countryNames.of(country) ?? country);
    reasons.push(messages.reasonCountries(list.format(names)));
  }
  const labels = [...targets.categories, ...targets.tags];
  if (labels.length > 0) reasons.push(messages.reasonCategories(list.format(labels)));
  if (hasReferrals) reasons.push(messages.reasonReferral);
  return reasons.length > 0 ? reasons : [messages.reasonEverybody];
}
