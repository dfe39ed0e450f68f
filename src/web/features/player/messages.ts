import type { FaultKind } from "./core/player-state.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

/** All texts of the player. */
export const playerMessages = inLanguage("player");

/** Texts about playback problems and the player's reaction. */
export const faultTexts = inLanguage("faults") satisfies Record<FaultKind, object>;
