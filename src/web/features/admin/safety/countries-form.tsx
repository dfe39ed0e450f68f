import { useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";

/** Form for the countries in which the site is blocked. */
export function CountriesForm({
  countries,
  isDisabled,
  error,
  onSave,
}: {
  countries: readonly string[];
  isDisabled: boolean;
  error: string | null;
  onSave: (countries: string[]) => void;
}) {
  const [text, setText] = useState(countries.join(", "));
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text.split(/[\s,]+/).filter((code) => code !== ""));
      }}
    >
      <TextField
        label="Blocked countries"
        hint="Two-letter codes, such as DE, FR. Visitors there get status 451."
        autoCapitalize="characters"
        maxLength={1000}
        value={text}
        error={error}
        onChange={(event) => setText(event.target.value)}
      />
      <div>
        <Button type="submit" disabled={isDisabled}>
          Save countries
        </Button>
      </div>
    </form>
  );
}
