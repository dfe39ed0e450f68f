import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { User } from "#contract/accounts/auth.ts";
import {
  accountRoleOf,
  can,
  isAction,
  type Action,
  type ConfirmedChange,
} from "#contract/accounts/policy.ts";
import { AppError } from "#server/lib/app-error.ts";
import { isApiPath, targetOf } from "../request-target.ts";

/**
 * Who may call a route. `public`: everyone, with the same response. `visitor`: everyone, with a
 * response that depends on the visitor cookie. `user`: every signed-in user. An action: users to
 * whom the policy table allows it. Several actions: users to whom it allows one of them. The handler
 * then checks the action that the call requires.
 */
type Policy = "public" | "visitor" | "user" | Action | readonly [Action, ...Action[]];

/** Returns the actions of which a policy requires one. Empty if it requires none. */
export const actionsOf = (policy: Policy = "public"): Action[] => [policy].flat().filter(isAction);

/** Signed-in user as the policies see them. */
export interface SignedInUser extends User {
  isOwner: boolean;
  /** Session of the request. */
  sessionId: string;
  /** True if the password or a passkey was recently confirmed in this session. */
  isConfirmed: boolean;
  /** True if the site requires a second factor that the account lacks. Nothing else is allowed. */
  mustAddFactor: boolean;
  /** Actions that limit an API token. Null in a session, because its role limits it. */
  scopes: readonly string[] | null;
  /**
   * True if a browser sent the request, but no back-office page (`page-token.ts`). The user may then
   * do no more than a visitor.
   */
  isOutsideBackOffice: boolean;
}

/** Returns the user of a call that its policy has allowed. @throws AppError unauthenticated. */
export function userOf(request: FastifyRequest): SignedInUser {
  if (request.user === null) throw notSignedInError();
  return request.user;
}

/** Returns the user of an admin call. Its policy has already refused everyone else. */
export function actorOf(request: FastifyRequest) {
  return { user: userOf(request), requestId: request.id };
}

declare module "fastify" {
  interface FastifyRequest {
    /** Change made by a confirmed session with this request, reported to owners. */
    confirmedChange: ConfirmedChange | null;
  }
  interface FastifyContextConfig {
    policy?: Policy;
    /** Change that requires a confirmed session, because a thief could use it to keep access. */
    confirms?: ConfirmedChange;
    /** Cache settings of a response that is the same for every visitor. */
    cache?: { ttlMs: number };
    /** Maximum number of values in a JSON body. */
    maxJsonValues?: number;
    /**
     * True if other origins may call it, too (an ad server's beacon, an embed). The call must not
     * read private data.
     */
    allowsCrossOrigin?: boolean;
    /** True if a browser may call it from a page outside the back office. */
    allowsOutsideBackOffice?: boolean;
  }
}

/**
 * Maximum size of a JSON body. Visitors' calls send a few fields. The back office sends long texts.
 */
export const maxPublicBodyBytes = 16 * 1024;
const maxAdminBodyBytes = 1024 * 1024;

export interface RegisteredRoute {
  method: string;
  url: string;
  policy: Policy;
  isCached: boolean;
  /** Null for calls that need no confirmation. */
  confirms: ConfirmedChange | null;
}

/**
 * Enforces policies and limits bodies according to them. Refuses to register a route that has no
 * policy.
 * @returns all routes.
 */
export function registerPolicies(app: FastifyInstance): RegisteredRoute[] {
  const routes: RegisteredRoute[] = [];
  app.addHook("onRoute", (route: RouteOptions) => {
    const policy = route.config?.policy;
    if (policy === undefined) throw new Error(`Route ${route.url} declares no policy`);
    if (actionsOf(policy).length > 0) route.bodyLimit ??= maxAdminBodyBytes;
    const isCached = route.config?.cache !== undefined;
    for (const method of [route.method].flat()) {
      const confirms = route.config?.confirms ?? null;
      routes.push({ method, url: route.url, policy, isCached, confirms });
    }
  });
  app.decorateRequest("confirmedChange", null);
  app.addHook("onRequest", (request, _reply, done) => {
    requirePolicy(request);
    done();
  });
  app.addHook("preValidation", async (request) => {
    const hasBody = request.body !== undefined && request.body !== null;
    if (hasBody && !(request.body instanceof Readable)) await requireStillAllowed(request);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    forbidCaching(reply);
    done(null, payload);
  });
  return routes;
}

/**
 * Keeps API responses to users and API tokens, which may contain drafts, out of every cache.
 * Handlers that write the response themselves, which skips the `onSend` hooks, call it first.
 */
export function forbidCaching(reply: FastifyReply): void {
  const { user, raw } = reply.request;
  if (user !== null && isApiPath(targetOf(raw).path)) {
    void reply.header("cache-control", "private, no-store");
  }
}

function requirePolicy(request: FastifyRequest): void {
  // An unknown address has no route and no policy.
  if (request.is404) return;
  const { policy, confirms, allowsOutsideBackOffice } = request.routeOptions.config;
  if (policy === "user") {
    const user = userOf(request);
    if (allowsOutsideBackOffice !== true) requireBackOffice(user);
  }
  if (policy === "user" && userOf(request).scopes !== null) {
    throw new AppError("forbidden", "API tokens can't access their user's account.");
  }
  const actions = actionsOf(policy);
  if (actions.length > 0) requireAction(request, ...actions);
  if (confirms !== undefined) requireConfirmation(request, confirms);
}

/**
 * Checks the policy again after a body has arrived, because the session may have ended or the role
 * changed in the meantime. Routes that read their body as a stream call this themselves.
 * @throws AppError like the first check.
 */
export async function requireStillAllowed(request: FastifyRequest): Promise<void> {
  if (request.user === null) return;
  request.user = await request.findUser();
  requirePolicy(request);
}

/** Returns whether a request has a session or an API token, even an expired one. */
export const hasSession = (request: FastifyRequest): boolean =>
  request.user !== null || request.sessionToken !== null;

export const noPageTokenError = () =>
  new AppError("page_token_required", "Reload this page to continue.");

function requireBackOffice(user: SignedInUser): void {
  if (user.isOutsideBackOffice) throw noPageTokenError();
}

export const notSignedInError = () => new AppError("unauthenticated", "Sign in to do this.");

/** Returns whether the policy table allows the action to this user. */
export const hasPermission = (user: SignedInUser | null, action: Action): boolean =>
  user !== null &&
  !user.isOutsideBackOffice &&
  !user.mustAddFactor &&
  can(accountRoleOf(user), action) &&
  (user.scopes === null || user.scopes.includes(action));

/**
 * Checks calls whose required action depends on the call. Several actions require one of them.
 * @throws AppError unauthenticated, page_token_required or forbidden.
 */
export function requireAction(request: FastifyRequest, ...actions: Action[]): void {
  const user = userOf(request);
  requireBackOffice(user);
  if (actions.some((action) => hasPermission(user, action))) return;
  if (user.mustAddFactor) {
    throw new AppError(
      "second_factor_missing",
      "Add an authenticator app or a passkey to your account first.",
    );
  }
  const { scopes } = user;
  if (scopes !== null && !actions.some((action) => scopes.includes(action))) {
    const names = actions.join(" or ");
    throw new AppError("forbidden", `This API token doesn't have the scope ${names}.`);
  }
  throw new AppError("forbidden", "You don't have permission to do this.");
}

/**
 * Allows a change only in a session in which the user recently confirmed the password or a passkey.
 * @throws AppError unauthenticated; forbidden for an API token; confirmation_required.
 */
export function requireConfirmation(request: FastifyRequest, change: ConfirmedChange): void {
  const user = userOf(request);
  if (user.scopes !== null) {
    throw new AppError("forbidden", "An API token can't do this. Use the back office.");
  }
  if (!user.isConfirmed) {
    throw new AppError(
      "confirmation_required",
      "Confirm your password or use a passkey to do this.",
    );
  }
  request.confirmedChange = change;
}

/**
 * Viewer of a page or caller. Back-office users also see drafts, and unfinished and failed videos.
 */
export interface Viewer {
  isAdmin: boolean;
  /** True for someone with a pass, in responses that no cache stores. */
  isMember?: boolean;
}

export const viewerOf = (request: { user: SignedInUser | null }): Viewer => ({
  isAdmin: hasPermission(request.user, "content.read"),
});
