import { queryOptions } from "@tanstack/react-query";
import {
  accountSessions,
  createdInvitation,
  people,
  person,
  type CreatedInvitation,
  type InvitationBody,
  type Person,
  type PersonPatch,
} from "#contract/accounts/people.ts";
import { allApiTokens } from "#contract/accounts/api-tokens.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";

export const peopleKey = ["admin", "people"] as const;

export const peopleQuery = queryOptions({
  queryKey: peopleKey,
  queryFn: () => adminCall("/api/admin/people", people),
});

export const personSessionsQuery = (id: string) =>
  queryOptions({
    queryKey: [...peopleKey, id, "sessions"],
    queryFn: () => adminCall(`/api/admin/people/${id}/sessions`, accountSessions),
  });

export const allTokensQuery = queryOptions({
  queryKey: [...peopleKey, "tokens"],
  queryFn: () => adminCall("/api/admin/tokens", allApiTokens),
});

export const revokeToken = (id: string): Promise<void> =>
  adminSend(`/api/admin/tokens/${id}`, { method: "DELETE" });

export const invite = (body: InvitationBody): Promise<CreatedInvitation> =>
  adminCall("/api/admin/people/invitations", createdInvitation, { method: "POST", body });

export const withdraw = (id: string): Promise<void> =>
  adminSend(`/api/admin/people/invitations/${id}`, { method: "DELETE" });

export const changePerson = (id: string, body: PersonPatch): Promise<Person> =>
  adminCall(`/api/admin/people/${id}`, person, { method: "PUT", body });

export const removePerson = (id: string): Promise<void> =>
  adminSend(`/api/admin/people/${id}`, { method: "DELETE" });

export const endSession = (id: string, sessionId: string): Promise<void> =>
  adminSend(`/api/admin/people/${id}/sessions/${sessionId}`, { method: "DELETE" });

export const endAllSessions = (id: string): Promise<void> =>
  adminSend(`/api/admin/people/${id}/sessions`, { method: "DELETE" });
