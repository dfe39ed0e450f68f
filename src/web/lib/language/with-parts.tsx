import { Fragment, type ReactNode } from "react";

/** Replaces `<name/>` in a text with elements, because their order depends on the language. */
export function withParts(text: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  // Parts with an odd index are names.
  return text
    .split(/<(\w+)\/>/)
    .map((piece, at) => <Fragment key={at}>{at % 2 === 1 ? parts[piece] : piece}</Fragment>);
}
