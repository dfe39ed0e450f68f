import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";
import { passUntilCookie } from "#contract/visitors/pass-cookies.ts";

const messages = inLanguage("members");

/**
 * Says beside every Sign In of the header until when this browser's pass is valid, with a button to
 * leave. It isn't part of the header's component, so that visitors without a pass load nothing.
 * Appears with the first video that the pass opens.
 */
export function showMemberLinks(): void {
  const [, until] = new RegExp(`\\b${passUntilCookie}=(\\d+)`).exec(document.cookie) ?? [];
  if (until === undefined || document.querySelector("header form[action$='/pass']") !== null)
    return;
  const end = new Date(Number(until));
  const isThisYear = end.getFullYear() === new Date().getFullYear();
  const day = end.toLocaleDateString(
    document.documentElement.lang,
    isThisYear ? { day: "numeric", month: "short" } : { dateStyle: "medium" },
  );
  for (const signIn of document.querySelectorAll("header a[href='/auth/signin']")) {
    const form = document.createElement("form");
    form.method = "post";
    form.action = pagePath("/pass");
    form.className = "flex items-center gap-1";
    const link = document.createElement("a");
    link.href = pagePath("/pass");
    link.textContent = messages.until(day);
    const next = document.createElement("input");
    next.type = "hidden";
    next.name = "next";
    next.value = window.location.pathname;
    const leave = document.createElement("button");
    leave.name = "do";
    leave.value = "leave";
    leave.textContent = messages.leave;
    for (const each of [link, leave]) each.className = signIn.className;
    form.append(link, next, leave);
    signIn.before(form);
  }
}
