import { ChevronDownIcon } from "lucide-react";
import type { Person } from "#contract/accounts/people.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { buttonClass } from "#web/components/ui/button.tsx";
import { Menu } from "#web/components/ui/menu.tsx";
import type { Column } from "../shared/data-table.tsx";
import { sinceWords } from "../shared/moments.ts";
import { roleNames } from "./role-field.tsx";

interface PersonActions {
  ownId: string | undefined;
  /** Returns whether this user's role, state and sessions may be changed. */
  canManage: (person: Person) => boolean;
  changeRole: (person: Person) => void;
  showSessions: (person: Person) => void;
  setDisabled: (person: Person, isDisabled: boolean) => void;
  remove: (person: Person) => void;
}

export function peopleColumns(actions: PersonActions): Column<Person>[] {
  return [
    {
      id: "user",
      title: "User",
      cell: (person) => (
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
            <bdi className="break-all">{person.name === "" ? person.email : person.name}</bdi>
            {person.id === actions.ownId ? <Badge>You</Badge> : null}
            {person.isDisabled ? <Badge tone="danger">Disabled</Badge> : null}
          </p>
          {person.name === "" ? null : <p className="text-ink-11 break-all">{person.email}</p>}
        </div>
      ),
    },
    {
      id: "role",
      title: "Role",
      cell: ({ role }) => (
        <Badge tone={role === "OWNER" || role === "ADMIN" ? "lamp" : "neutral"}>
          {roleNames[role]}
        </Badge>
      ),
    },
    {
      id: "seen",
      title: "Last seen",
      cell: ({ lastSeenAt }) => (
        <span className="text-ink-11">
          {lastSeenAt === null ? "Never" : sinceWords(lastSeenAt)}
        </span>
      ),
    },
    {
      id: "sessions",
      title: "Sessions",
      cell: (person) => <span className="tabular text-ink-11">{person.sessions}</span>,
    },
    {
      id: "actions",
      title: "Actions",
      cell: (person) =>
        actions.canManage(person) ? (
          <div className="flex">
            <Menu
              label={`Manage ${person.email}`}
              triggerClassName={buttonClass({ size: "small" })}
              trigger={
                <>
                  Manage
                  <ChevronDownIcon aria-hidden="true" className="size-3.5" />
                </>
              }
              entries={[
                { label: "Change role", onSelect: () => actions.changeRole(person) },
                { label: "Sessions", onSelect: () => actions.showSessions(person) },
                person.isDisabled
                  ? { label: "Enable", onSelect: () => actions.setDisabled(person, false) }
                  : { label: "Disable", onSelect: () => actions.setDisabled(person, true) },
                {
                  label: "Remove",
                  isDanger: true,
                  onSelect: () => actions.remove(person),
                },
              ]}
            />
          </div>
        ) : null,
    },
  ];
}
