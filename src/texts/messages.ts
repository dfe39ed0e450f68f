import type en from "./en.json";
import type { FilledTexts } from "./filled-texts.ts";

type Typed<Tree, Filled> = {
  readonly [Name in keyof Tree]: Tree[Name] extends string
    ? Name extends keyof Filled
      ? Filled[Name]
      : string
    : Typed<Tree[Name], Name extends keyof Filled ? Filled[Name] : object>;
};

/** Texts of the public pages and of the server's messages to visitors, in one language. */
export type Messages = Typed<typeof en, FilledTexts>;
