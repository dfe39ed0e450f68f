import { createElement, type SVGProps } from "react";

interface IconData {
  /** Names and attributes of the elements of a 24 by 24 px image. */
  node: readonly (readonly [name: string, attributes: Record<string, string>])[];
}

/**
 * Replaces lucide-react's createLucideIcon (`resolve.alias` in vite.config.ts), whose context and
 * class names would add 1.1 KB to every first load.
 */
export default function createIcon({ node }: IconData) {
  const shapes = node.map(([name, attributes]) => createElement(name, attributes));
  return (props: SVGProps<SVGSVGElement>) =>
    createElement(
      "svg",
      {
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": true,
        ...props,
      },
      ...shapes,
    );
}
