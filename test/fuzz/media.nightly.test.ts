import { fuzzMedia } from "./fuzz-media.ts";

fuzzMedia(2000, Date.now() % 1e6, 3);
