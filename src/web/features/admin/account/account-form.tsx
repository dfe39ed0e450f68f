import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode, SubmitEvent } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { notify } from "../shared/notices.tsx";
import { Section } from "../shared/section.tsx";
import { useUnsaved } from "../shared/unsaved.ts";
import { accountKey } from "./calls.ts";

/**
 * Section of the account page with a form.
 * @param options.save sends the values.
 * @param options.children renders the fields with the error of the last attempt.
 */
export function AccountForm(options: {
  title: string;
  action: string;
  isUnsaved: boolean;
  isComplete: boolean;
  save: () => Promise<unknown>;
  onSaved: () => unknown;
  texts: { saved: string; failed: string };
  children: (error: unknown) => ReactNode;
}) {
  const { texts } = options;
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: options.save,
    onSuccess: async () => {
      notify.success(texts.saved);
      await options.onSaved();
      await client.invalidateQueries({ queryKey: accountKey });
    },
    meta: { failure: texts.failed },
  });
  useUnsaved(options.isUnsaved);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Section title={options.title}>
      <form onSubmit={submit} className="grid justify-items-start gap-4">
        {options.children(saving.error)}
        <Button type="submit" disabled={saving.isPending || !options.isComplete}>
          {options.action}
        </Button>
      </form>
    </Section>
  );
}
