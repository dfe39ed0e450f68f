import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SwitchField, TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { AccountForm } from "./account-form.tsx";
import { changePassword, tokensQuery } from "./calls.ts";

export function PasswordForm() {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const [keepsTokens, setKeepsTokens] = useState(false);
  const tokens = useQuery(tokensQuery);
  return (
    <AccountForm
      title="Password"
      action="Change password"
      // The browser may have filled in the current password.
      isUnsaved={newPassword !== ""}
      isComplete={currentPassword !== "" && newPassword !== ""}
      save={() => changePassword({ currentPassword, newPassword, keepsTokens })}
      onSaved={() => {
        setCurrent("");
        setNew("");
      }}
      texts={{
        saved: "Password changed. You've been signed out everywhere else.",
        failed: "Failed to change the password",
      }}
    >
      {(error) => (
        <>
          <TextField
            label="Current password"
            className="w-full max-w-md"
            type="password"
            autoComplete="current-password"
            maxLength={1000}
            value={currentPassword}
            error={issueOf(error, "currentPassword")}
            onChange={(event) => setCurrent(event.target.value)}
          />
          <TextField
            label="New password"
            className="w-full max-w-md"
            type="password"
            autoComplete="new-password"
            minLength={8}
            maxLength={1000}
            hint="At least 8 characters. Common passwords aren't allowed."
            value={newPassword}
            error={issueOf(error, "newPassword")}
            onChange={(event) => setNew(event.target.value)}
          />
          {tokens.data === undefined || tokens.data.length === 0 ? null : (
            <SwitchField
              label="Keep API tokens"
              hint="Turn this on only if you created every token yourself."
              checked={keepsTokens}
              onChange={(event) => setKeepsTokens(event.target.checked)}
            />
          )}
        </>
      )}
    </AccountForm>
  );
}
