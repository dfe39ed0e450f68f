import { remembersUser } from "../session.ts";

const worker = "/offline.js";

/**
 * Makes the library available offline once a visitor saves something. Not for users, because the
 * server shows drafts only to pages that the browser itself requests.
 */
export function keepOffline(): void {
  if (remembersUser() || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker
    .register(worker)
    .catch((error: unknown) => console.warn("The library will need the network", error));
}

/** Removes the worker, but not its stored pages. */
export async function removeWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((each) => each.unregister()));
}

/** Removes the worker and its stored pages. */
export async function stopOffline(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  await removeWorker();
  for (const name of await caches.keys()) await caches.delete(name);
}
