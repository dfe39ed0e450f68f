/** Things that a script of a public page can aim at. */
export interface Targets {
  /** Trusted ad whose script the server serves. */
  adId: string;
  /** Draft that only the back office may show, with its title and one of its files. */
  draft: { slug: string; title: string; file: string };
  /** User that the script tries to make an owner. */
  userId: string;
}

/** Attempts that open a window, for which some engines want a press. */
export const popupAttempts: readonly string[] = ["popup", "emptyPopup", "pagePopup", "draftPopup"];

/**
 * Tries everything with the session of the browser that a script of a public page can, such as that
 * of a trusted ad. Self-contained, because it runs in the page.
 * @param isTried returns whether to make an attempt. By default, all are made.
 * @returns per attempt "refused", "blocked" if the engine opened no window, or "REACHED".
 */
export async function attackBackOffice(
  targets: Targets,
  isTried: (name: string) => boolean = () => true,
): Promise<Record<string, string>> {
  const { adId, draft, userId } = targets;
  const json = { "content-type": "application/json" };
  const post = (path: string, body: unknown, method: "POST" | "PUT" | "DELETE" = "POST") =>
    fetch(path, { method, headers: json, body: JSON.stringify(body) });
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const hasSecret = (html: string) => html.includes("page-token") || html.includes(draft.title);

  /** Reads a same-origin document that may appear in a frame or window within two seconds. */
  async function peek(read: () => Document | null | undefined): Promise<boolean> {
    for (let tries = 0; tries < 20; tries += 1) {
      await wait(100);
      try {
        const html = read()?.documentElement.outerHTML ?? "";
        if (hasSecret(html) || html.includes("data-admin")) return true;
      } catch {
        // Another browsing context group, or another origin.
      }
    }
    return false;
  }
  async function peekFrame(tag: "iframe" | "object" | "embed", path: string): Promise<boolean> {
    const frame = document.createElement(tag);
    frame.setAttribute(tag === "object" ? "data" : "src", path);
    frame.setAttribute("type", "text/html");
    document.body.append(frame);
    const isSeen = await peek(() => ("contentDocument" in frame ? frame.contentDocument : null));
    frame.remove();
    return isSeen;
  }
  async function peekWindow(path: string, first = path): Promise<boolean> {
    const opened = window.open(first, "", "width=300,height=300");
    if (opened === null) throw new Error("BLOCKED");
    if (first !== path) opened.location.href = path;
    const isSeen = await peek(() => opened.document);
    opened.close();
    return isSeen;
  }
  const isWorker = async (path: string, scope?: string) => {
    const registration = await navigator.serviceWorker.register(path, { scope });
    await registration.unregister();
    return true;
  };

  /** Attempts by name. Each resolves with true if it reached something. */
  const attempts: Record<string, () => Promise<boolean>> = {
    stats: async () => (await fetch("/api/admin/stats")).ok,
    account: async () => (await fetch("/api/account")).ok,
    settings: async () => (await fetch("/api/settings")).ok,
    export: async () => (await fetch("/api/admin/export/videos")).ok,
    events: async () => (await fetch("/api/admin/events")).ok,
    write: async () => (await post("/api/categories", { name: "Planted" })).ok,
    promote: async () => (await post(`/api/admin/people/${userId}`, { role: "OWNER" }, "PUT")).ok,
    apiToken: async () =>
      (await post("/api/account/tokens", { name: "a", scopes: ["content.read"], days: 7 })).ok,
    ticket: async () => (await post("/api/auth/ticket", {})).ok,
    renewal: async () => (await post("/api/auth/page-token", {})).ok,
    draft: async () => (await fetch(`/api/videos/${draft.slug}`)).ok,
    drafts: async () => hasSecret(await (await fetch("/api/videos?limit=100")).text()),
    draftFile: async () => (await fetch(draft.file)).ok,
    draftPage: async () => hasSecret(await (await fetch(`/video/${draft.slug}`)).text()),
    page: async () => hasSecret(await (await fetch("/admin")).text()),
    pageHeaders: async () =>
      hasSecret(
        await (
          await fetch("/admin", {
            headers: { "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" },
          })
        ).text(),
      ),
    cachedPage: async () =>
      hasSecret(await (await fetch("/admin", { cache: "force-cache" })).text()),
    onlyCachedPage: async () =>
      hasSecret(
        await (await fetch("/admin", { cache: "only-if-cached", mode: "same-origin" })).text(),
      ),
    frame: () => peekFrame("iframe", "/admin"),
    draftFrame: () => peekFrame("iframe", `/video/${draft.slug}`),
    signInFrame: async () => {
      const frame = document.createElement("iframe");
      frame.src = "/auth/signin";
      document.body.append(frame);
      await wait(1500);
      const hasForm = frame.contentDocument?.querySelector("[type=password]") ?? null;
      frame.remove();
      return hasForm !== null;
    },
    object: () => peekFrame("object", "/admin"),
    embed: () => peekFrame("embed", "/admin"),
    popup: () => peekWindow("/admin"),
    emptyPopup: () => peekWindow("/admin", "about:blank"),
    pagePopup: () => peekWindow("/admin", "/home"),
    draftPopup: () => peekWindow(`/video/${draft.slug}`),
    worker: () => isWorker(`/spots/script/${adId}/0?page=/home`),
    siteWorker: () => isWorker(`/spots/script/${adId}/0?page=/home`, "/"),
    history: async () => {
      const here = location.href;
      history.pushState(null, "", "/admin");
      dispatchEvent(new PopStateEvent("popstate"));
      await wait(1000);
      const isShown = document.querySelector("[data-admin]") !== null;
      const { ok } = await fetch("/api/admin/stats");
      history.pushState(null, "", here);
      dispatchEvent(new PopStateEvent("popstate"));
      return isShown || ok;
    },
  };
  const result: Record<string, string> = {};
  const make = async ([name, attempt]: [string, () => Promise<boolean>]) => {
    result[name] = await attempt().then(
      (isReached) => (isReached ? "REACHED" : "refused"),
      (error: unknown) => (String(error).includes("BLOCKED") ? "blocked" : "refused"),
    );
  };
  const tried = Object.entries(attempts).filter(([name]) => isTried(name));
  const changesAddress = ([name]: (typeof tried)[number]) => name === "history";
  await Promise.all(tried.filter((each) => !changesAddress(each)).map(make));
  for (const each of tried.filter(changesAddress)) await make(each);
  return result;
}
