import { useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { TextAreaField, TextField } from "#web/components/ui/field.tsx";

/** Form for the filters that hold comments for approval. */
export function CommentsForm({
  words,
  links,
  isDisabled,
  errors,
  onSave,
}: {
  words: readonly string[];
  links: number;
  isDisabled: boolean;
  errors: { words: string | null; links: string | null };
  onSave: (rules: { commentWords: string[]; commentLinks: number }) => void;
}) {
  const [text, setText] = useState(words.join("\n"));
  const [count, setCount] = useState(String(links));
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const lines = text.split("\n").map((line) => line.trim());
        onSave({ commentWords: lines.filter((line) => line !== ""), commentLinks: Number(count) });
      }}
    >
      <TextAreaField
        label="Words that hold a comment for approval"
        hint="One per line. Case-insensitive. Also matches parts of words. Up to 500."
        dir="auto"
        value={text}
        error={errors.words}
        onChange={(event) => setText(event.target.value)}
      />
      <TextField
        label="Links in a comment"
        hint="Comments with more links are held for approval."
        type="number"
        min={0}
        max={20}
        required
        value={count}
        error={errors.links}
        onChange={(event) => setCount(event.target.value)}
      />
      <div>
        <Button type="submit" disabled={isDisabled}>
          Save filters
        </Button>
      </div>
    </form>
  );
}
