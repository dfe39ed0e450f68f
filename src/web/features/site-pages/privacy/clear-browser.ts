/** Keys of back-office users. They aren't deleted, because users sign out instead. */
const ofUsers = new Set(["user"]);

/** Deletes the visitor's data in this browser's storage. */
export function clearBrowser(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (!ofUsers.has(key)) localStorage.removeItem(key);
    }
    sessionStorage.clear();
  } catch {
    // Storage is disabled, so it is empty.
  }
}
