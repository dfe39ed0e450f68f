import type { Changes } from "#server/db/change-tags.ts";
import type { AnyJobDefinition } from "#server/jobs/job-definition.ts";
import type { App } from "./app.ts";

/**
 * One part of the product, as its `createXFeature` factory returns it: beside its services, what the
 * server must register, run and end. Every member is optional.
 */
export interface Feature {
  /** Brings stored state up to date before the first request. */
  start?(): Promise<void>;
  registerRoutes?(app: App): void | Promise<void>;
  /** Background jobs with their schedules. */
  jobs?: readonly AnyJobDefinition[];
  /** Content has changed, here or in another process: drop what is held in memory. */
  invalidate?(changes: Changes): void;
  /** Writes what is still buffered. Called after the last request. */
  drain?(): Promise<void>;
}
