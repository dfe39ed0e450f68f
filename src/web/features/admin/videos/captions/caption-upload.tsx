import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { SwitchField, TextField } from "#web/components/ui/field.tsx";
import { ModalForm } from "../../shared/modal-form.tsx";
import { addCaption, captionsKey } from "../api/captions.ts";

/** Returns the language in a file name, such as "pt-BR" in "beach.pt-BR.srt". */
const languageOf = (fileName: string): string | undefined =>
  /\.([a-z]{2,3}(?:-[A-Za-z]{2,4})?)\.\w{2,4}$/.exec(fileName)?.[1];

/** Dialog that adds a caption file to a video. */
export function CaptionUpload({ videoId, onClose }: { videoId: string; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [language, setLanguage] = useState("en");
  const [name, setName] = useState("");
  const [isDefault, setDefault] = useState(false);
  const [isForced, setForced] = useState(false);
  const saving = useMutation({
    mutationFn: (chosen: File) =>
      addCaption(videoId, { file: chosen, language, name, isDefault, isForced }),
    onSuccess: onClose,
    meta: {
      success: "Captions added",
      failure: "Failed to add captions",
      refreshes: captionsKey(videoId),
    },
  });
  return (
    <ModalForm
      size="small"
      title="Add captions"
      submitLabel="Add"
      busyLabel="Adding..."
      isBusy={saving.isPending}
      canSubmit={file !== null && language.trim() !== ""}
      isDirty={file !== null}
      onSubmit={() => {
        if (file !== null) saving.mutate(file);
      }}
      onClose={onClose}
    >
      <TextField
        label="File"
        type="file"
        required
        accept=".srt,.vtt,.ass,.ssa,text/vtt"
        hint="SRT, WebVTT or ASS, at most 4 MB."
        onChange={({ target }) => {
          const chosen = target.files?.[0] ?? null;
          setFile(chosen);
          const found = languageOf(chosen?.name ?? "");
          if (found !== undefined) setLanguage(found);
        }}
      />
      <TextField
        label="Language"
        required
        maxLength={35}
        value={language}
        onChange={({ target }) => setLanguage(target.value)}
        hint="A code such as en, de or pt-BR."
      />
      <TextField
        label="Name"
        maxLength={60}
        value={name}
        onChange={({ target }) => setName(target.value)}
        hint="Shown in the player's menu. Leave empty to use the language name."
      />
      <SwitchField
        label="On by default"
        hint="For visitors who haven't chosen captions."
        checked={isDefault}
        onChange={({ target }) => setDefault(target.checked)}
      />
      <SwitchField
        label="Forced"
        hint="Translates only speech in other languages. Shown while captions are off."
        checked={isForced}
        onChange={({ target }) => setForced(target.checked)}
      />
    </ModalForm>
  );
}
