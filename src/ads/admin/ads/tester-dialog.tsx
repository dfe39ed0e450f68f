import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { testTag, type TagReport } from "./test-tag.ts";

/** Follows a VAST tag and reports the chain, the chosen file and all problems. */
export function TesterDialog({ initialUrl, onClose }: { initialUrl: string; onClose: () => void }) {
  const [url, setUrl] = useState(initialUrl);
  const testing = useMutation({ mutationFn: testTag });
  const isAddress = /^https?:\/\//.test(url.trim()) && URL.canParse(url.trim());
  return (
    <Dialog isOpen size="large" title="Test a VAST tag" onClose={onClose}>
      <form
        className="mb-5 flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isAddress && !testing.isPending) testing.mutate(url.trim());
        }}
      >
        <TextField
          label="VAST tag URL"
          type="url"
          required
          hasMark={false}
          className="min-w-64 flex-1"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Button kind="primary" type="submit" disabled={!isAddress || testing.isPending}>
          {testing.isPending ? "Testing..." : "Test"}
        </Button>
      </form>
      <div aria-live="polite">
        {testing.isError ? (
          <p className="text-danger-text">Couldn't run the test. Try again.</p>
        ) : null}
        {testing.data === undefined ? null : <Report report={testing.data} />}
      </div>
    </Dialog>
  );
}

function Report({ report }: { report: TagReport }) {
  return (
    <div className="grid gap-5">
      <section>
        <h3 className="mb-2 font-semibold">What visitors would see</h3>
        {report.chosen === null ? (
          <p className="text-danger-text">No ad. The video starts right away.</p>
        ) : (
          <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[9rem_1fr]">
            {report.chosen.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-ink-11">{name}</dt>
                <dd className="min-w-0 break-all">{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      <section>
        <h3 className="mb-2 font-semibold">Problems</h3>
        {report.problems.length === 0 ? (
          <p className="text-done-text">None found.</p>
        ) : (
          <ul className="grid gap-1.5">
            {report.problems.map((problem) => (
              <li key={problem} className="break-words">
                {problem}
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h3 className="mb-2 font-semibold">Request chain</h3>
        <ol className="grid gap-2">
          {report.steps.map((step, at) => (
            <li
              key={`${at} ${step.url}`}
              className="rounded-md bg-ink-3 px-3 py-2"
              style={{ marginLeft: `${step.depth}rem` }}
            >
              <p className="flex flex-wrap items-center gap-2">
                <Badge tone={step.isOk ? "done" : "danger"}>{step.result}</Badge>
                <span className="text-sm text-ink-11">
                  {step.depth === 0 ? "Tag" : `Wrapper ${step.depth}`}
                </span>
              </p>
              <p className="mt-1 text-sm break-all">{step.url}</p>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
