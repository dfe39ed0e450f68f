import { fuzzMedia } from "./fuzz-media.ts";

fuzzMedia(25, 1, 6);
