import type { ClipSpec } from "../clip.ts";
import { tallSoft, wideSoft, type Frame } from "../filter-graphs.ts";

// One frame per generation.
const dishFrame: Frame = { ...wideSoft, fps: 12 };
const boardFrame: Frame = { ...tallSoft, fps: 8 };

/** Draws sharp cells over their own blur, which looks like a glow. `dots` rounds each cell. */
function glowing(frame: Frame, source: string, cell: number, dots: boolean): string {
  const size = `${frame.width}:${frame.height}`;
  const round = dots
    ? `;nullsrc=s=${frame.width}x${frame.height}:r=1:d=1,format=gray,geq=lum='255*clip(${cell * 0.55}-hypot(mod(X,${cell})-${cell / 2 - 0.5},mod(Y,${cell})-${cell / 2 - 0.5}),0.12,1)',format=gbrp[dots];[hard][dots]blend=all_mode=multiply[cells]`
    : ";[hard]null[cells]";
  return (
    `${source}:r=${frame.fps},format=gbrp,split[a][b];[a]scale=${size}:flags=neighbor[hard]${round};` +
    `[b]gblur=sigma=1.6,scale=${size}:flags=bicubic,format=gbrp[glow];[cells][glow]blend=all_mode=screen[v]`
  );
}

export const automataClips: ClipSpec[] = [
  {
    slug: "petri-dish-overnight",
    title: "Petri Dish, Overnight",
    description:
      "Conway's Game of Life left in a warm place. The dead leave a glow behind that takes its time to fade.",
    categories: ["Automata"],
    tags: ["rules and patterns", "game of life", "cells", "simulation", "glow"],
    actors: ["Quiet Machines"],
    ageDays: 76,
    views: 15_300,
    likeRate: 0.057,
    frame: dishFrame,
    durationS: 10,
    graph: glowing(
      dishFrame,
      "life=s=160x90:ratio=0.16:seed=5:mold=6:life_color=#ffe7b8:death_color=#c2562b:mold_color=#0a0f1f",
      6,
      false,
    ),
    sound: "porch",
  },
  {
    slug: "departure-board",
    title: "Departure Board",
    description: "Every light on this wall is a cell that lives or dies by its eight neighbours.",
    categories: ["Automata", "Light"],
    tags: ["rules and patterns", "game of life", "lights", "vertical", "grid"],
    actors: ["Quiet Machines", "Nine Lanterns"],
    ageDays: 16,
    views: 8_100,
    likeRate: 0.066,
    frame: boardFrame,
    durationS: 9,
    graph: glowing(
      boardFrame,
      "life=s=45x80:ratio=0.24:seed=21:mold=14:life_color=#9ff7ff:death_color=#2b4bd8:mold_color=#0a0a24",
      12,
      true,
    ),
    sound: "phases",
  },
];
