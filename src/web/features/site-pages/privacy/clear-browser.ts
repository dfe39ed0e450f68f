/** Keys of back-office users, who sign out instead. */
const ofUsers = new Set(["user"]);

/** Empties the storage of this browser, as far as it belongs to a visitor. */
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
