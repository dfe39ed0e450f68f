import { formatDuration } from "#web/lib/format/format.ts";
import { chapterAt } from "../../core/chapter-at.ts";
import type { Player } from "../../core/player.ts";
import { usePlayerState } from "../../hooks/use-player-state.ts";
import { playerMessages as messages } from "../../messages.ts";

const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

interface Choice {
  key: string;
  label: string;
  hint?: string;
  isChosen: boolean;
  choose: () => void;
}

/** Submenu of the settings. */
export interface ChoiceGroup {
  key: string;
  title: string;
  choices: Choice[];
  /** True for a wider menu, because its labels are long. */
  isWide?: boolean;
}

function useQualityChoices(player: Player): Choice[] {
  const qualities = usePlayerState(player, (state) => state.qualities);
  const selected = usePlayerState(player, (state) => state.selectedQuality);
  const activeLines = usePlayerState(player, (state) => state.activeLines);
  if (qualities.length === 0) return [];
  const fixed = qualities.toReversed().map(({ id, lines }): Choice => ({
    key: String(id),
    label: `${lines}p`,
    isChosen: selected === id,
    choose: () => player.selectQuality(id),
  }));
  const auto: Choice = {
    key: "auto",
    label: messages.auto,
    ...(selected === null && activeLines !== null ? { hint: `${activeLines}p` } : {}),
    isChosen: selected === null,
    choose: () => player.selectQuality(null),
  };
  return [auto, ...fixed];
}

function useCaptionChoices(player: Player): Choice[] {
  const captions = usePlayerState(player, (state) => state.captions);
  const active = usePlayerState(player, (state) => state.activeCaption);
  if (captions.length === 0) return [];
  const tracks = captions.map(({ id, label }): Choice => ({
    key: id,
    label,
    isChosen: active === id,
    choose: () => player.selectCaption(id),
  }));
  const off: Choice = {
    key: "off",
    label: messages.off,
    isChosen: active === null,
    choose: () => player.selectCaption(null),
  };
  return [off, ...tracks];
}

function useSoundChoices(player: Player): Choice[] {
  const sounds = usePlayerState(player, (state) => state.sounds);
  const active = usePlayerState(player, (state) => state.activeSound);
  return sounds.map(({ name }, index): Choice => ({
    key: name,
    label: name,
    isChosen: active === index,
    choose: () => player.selectSound(index),
  }));
}

function useChapterChoices(player: Player): Choice[] {
  const chapters = usePlayerState(player, (state) => state.chapters);
  const current = usePlayerState(player, (state) => chapterAt(state.chapters, state.positionS));
  return chapters.map((chapter): Choice => ({
    key: String(chapter.startS),
    label: chapter.title,
    hint: formatDuration(chapter.startS),
    isChosen: chapter === current,
    choose: () => player.seekTo(chapter.startS),
  }));
}

function useSpeedChoices(player: Player): Choice[] {
  const rate = usePlayerState(player, (state) => state.rate);
  return rates.map((value): Choice => ({
    key: String(value),
    label: value === 1 ? messages.normal : `${value}×`,
    isChosen: rate === value,
    choose: () => player.setRate(value),
  }));
}

/** Returns the submenus that have something to choose. */
export function useChoiceGroups(player: Player): ChoiceGroup[] {
  const sounds = useSoundChoices(player);
  const groups: ChoiceGroup[] = [
    { key: "quality", title: messages.quality, choices: useQualityChoices(player) },
    { key: "speed", title: messages.speed, choices: useSpeedChoices(player) },
    { key: "captions", title: messages.captions, choices: useCaptionChoices(player) },
    { key: "sound", title: messages.sound, choices: sounds.length > 1 ? sounds : [] },
    { key: "chapters", title: messages.chapters, choices: useChapterChoices(player), isWide: true },
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}
