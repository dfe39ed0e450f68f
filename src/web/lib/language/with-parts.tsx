import { Fragment, type ReactNode } from "react";

/** A text with elements in place of `{name}`: their order belongs to the language. */
export function withParts(text: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  // Every second part is a name.
  return text
    .split(/\{(\w+)\}/)
    .map((piece, at) => <Fragment key={at}>{at % 2 === 1 ? parts[piece] : piece}</Fragment>);
}
