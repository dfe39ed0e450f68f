import { vi } from "vitest";

// Files of one worker share its globals, so replaced ones are restored before the next file.
vi.useRealTimers();
vi.unstubAllGlobals();
