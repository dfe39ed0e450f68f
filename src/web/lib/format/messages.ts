import { inLanguage } from "../language/page-language.ts";

export const formatTexts = inLanguage("format");
