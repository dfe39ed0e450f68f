import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { accessRules } from "#contract/accounts/account.ts";
import { SwitchField } from "#web/components/ui/field.tsx";
import { accountKey, accountQuery } from "../account/calls.ts";
import { adminCall } from "../shared/admin-api.ts";

/** Switch that requires a second factor from every user. */
export function FactorRule() {
  const client = useQueryClient();
  const account = useQuery(accountQuery);
  const saving = useMutation({
    mutationFn: (isSecondFactorRequired: boolean) =>
      adminCall("/api/admin/people/rules", accessRules, {
        method: "PUT",
        body: { isSecondFactorRequired },
      }),
    meta: { success: "Saved", failure: "Failed to save" },
    // Disabled until the new value is here.
    onSettled: () => client.invalidateQueries({ queryKey: accountKey }),
  });
  // Until the rule is known, an empty switch would look like one that is off.
  if (account.data === undefined) return null;
  return (
    <section className="mt-8 border-t border-line pt-4">
      <SwitchField
        label="Require two-factor sign-in"
        hint="Users without an authenticator app or passkey can only open their account page to add one."
        checked={account.data.isSecondFactorRequired}
        disabled={saving.isPending}
        onChange={(event) => saving.mutate(event.target.checked)}
      />
    </section>
  );
}
