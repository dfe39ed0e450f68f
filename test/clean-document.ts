import { vi } from "vitest";

// Files of one worker share the document, its storage and the globals: each of them begins with fresh ones.
vi.useRealTimers();
vi.unstubAllGlobals();
document.head.replaceChildren();
document.body.replaceChildren();
localStorage.clear();
sessionStorage.clear();
