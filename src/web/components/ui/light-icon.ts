import { createElement, type SVGProps } from "react";

interface IconData {
  /** Elements of a 24 by 24 px picture: name and attributes. */
  node: readonly (readonly [name: string, attributes: Record<string, string>])[];
}

/** The build replaces Lucide's component by this one (setup/light-icons.ts). */
export const createLightIcon =
  ({ node }: IconData) =>
  (props: SVGProps<SVGSVGElement>) =>
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
      ...node.map(([name, attributes]) => createElement(name, attributes)),
    );
