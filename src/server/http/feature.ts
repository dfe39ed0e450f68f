import type { Changes } from "#server/db/change-tags.ts";
import type { AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { App } from "./app.ts";

/**
 * Part of the product, as returned by its `createXFeature` factory: its services, and everything
 * the server must register, run and close. Every member is optional.
 */
export interface Feature {
  /** Updates stored state before the first request. */
  start?(): Promise<void>;
  registerRoutes?(app: App): void | Promise<void>;
  /** Background jobs with their schedules. */
  jobs?: readonly AnyJobDefinition[];
  /** Drops cached data after content changed, in this or another process. */
  invalidate?(changes: Changes): void;
  /** Writes buffered data. Called after the last request. */
  drain?(): Promise<void>;
}
