import { accentProblem } from "#contract/site/accent.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { settingsMessages as messages } from "./messages.ts";

/** Returns the problem with an accent colour, or null. */
export function accentError(text: string): string | null {
  const problem = text.trim() === "" ? null : accentProblem(text.trim().toLowerCase());
  return problem === null ? null : `This colour ${problem}`;
}

/** Text field for the accent colour, with the browser's colour picker beside it. */
export function AccentField({
  value,
  error,
  onValue,
}: {
  value: string;
  error: string | null;
  onValue: (value: string) => void;
}) {
  return (
    <div className="flex items-start gap-3">
      <TextField
        label={messages.accent}
        hint="For buttons and links, such as #c2410c. Leave empty for the default amber"
        error={accentError(value) ?? error}
        className="min-w-0 flex-1"
        maxLength={7}
        placeholder="#c2410c"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      <input
        type="color"
        aria-label="Pick the accent colour"
        className="field mt-6.5 w-16 shrink-0 cursor-pointer p-1"
        value={/^#[0-9a-f]{6}$/i.test(value.trim()) ? value.trim() : "#c2410c"}
        onChange={({ target }) => onValue(target.value)}
      />
    </div>
  );
}
