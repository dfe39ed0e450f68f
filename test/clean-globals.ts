import { vi } from "vitest";

// Files of one worker share its globals: what one has replaced is restored before the next begins.
vi.useRealTimers();
vi.unstubAllGlobals();
