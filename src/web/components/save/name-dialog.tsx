import { useState } from "react";
import { playlistNameMax } from "#web/lib/visitor-library/library-data.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";

const messages = inLanguage("save");

/** Asks for the name of a new or renamed playlist. */
export function NameDialog({
  title,
  action,
  current = "",
  onName,
  onClose,
}: {
  title: string;
  action: string;
  current?: string;
  onName: (name: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(current);
  return (
    <Dialog isOpen onClose={onClose} title={title} size="small" startsAt="[role=dialog] input">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onName(name.trim());
          onClose();
        }}
      >
        <TextField
          label={messages.name}
          value={name}
          maxLength={playlistNameMax}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex justify-end gap-3">
          <Button onClick={onClose}>{messages.cancel}</Button>
          <Button type="submit" kind="primary" disabled={name.trim() === ""}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
