const worker = "/offline.js";

let isAsked = false;

/** Makes the library available offline once a visitor saves something. */
export function keepOffline(): void {
  if (isAsked || !("serviceWorker" in navigator)) return;
  isAsked = true;
  navigator.serviceWorker
    .register(worker)
    .catch((error: unknown) => console.warn("The library will need the network", error));
}

/** Removes the worker and its stored pages. */
export async function stopOffline(): Promise<void> {
  isAsked = false;
  if (!("serviceWorker" in navigator)) return;
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((each) => each.unregister()));
  for (const name of await caches.keys()) await caches.delete(name);
}
