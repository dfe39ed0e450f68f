import type { ReportOutcome, ReportReason, TakedownGround } from "#contract/visitors/reports.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

export const reportMessages = inLanguage("report");

export const reasonNames = inLanguage("reasons") satisfies Record<ReportReason, string>;

export const takedownMessages = inLanguage("takedown");

export const groundNames = inLanguage("grounds") satisfies Record<TakedownGround, string>;

export const removalMessages = inLanguage("removals");

export const outcomeNames = inLanguage("outcomes") satisfies Record<ReportOutcome, string>;
