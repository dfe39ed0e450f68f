import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { AddedCaption } from "#contract/videos/captions.ts";
import { findCaptionSuffix, nameOfLanguage } from "#contract/videos/track-names.ts";
import { SwitchField, TextField } from "#web/components/ui/field.tsx";
import { FileField } from "../../shared/file-button.tsx";
import { languageCode, languageName } from "../../shared/language-names.ts";
import { ModalForm } from "../../shared/modal-form.tsx";
import { notify } from "../../shared/notices.tsx";
import { addCaption, captionsKey } from "./calls.ts";

const shownRows = 12;
const countOf = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Says which parts of the file are missing from the captions, so that nobody has to look for them. */
function problemsOf({ missedRows, replacedCharacters }: AddedCaption): string[] {
  const [rows, more] = [missedRows.slice(0, shownRows), missedRows.length - shownRows];
  const where = `${rows.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    ...(rows.length === 0
      ? []
      : [`${countOf(missedRows.length, "line")} could not be read: ${where}.`]),
    ...(replacedCharacters === 0
      ? []
      : [`${countOf(replacedCharacters, "character")} could not be read and became \ufffd.`]),
  ];
}

interface Values {
  language: string;
  name: string;
  isDefault: boolean;
  isForced: boolean;
}

/** Completes what the user has entered with what the file's name says. */
function complete(file: File | null, typed: Partial<Values>): Values {
  const about = findCaptionSuffix(file?.name ?? "");
  const language = typed.language ?? (about?.language.replaceAll("_", "-") || "en");
  const code = languageCode(language);
  return {
    language,
    name: about?.kind == null ? "" : `${nameOfLanguage(code) ?? code} (${about.kind})`,
    isDefault: about?.isDefault ?? false,
    isForced: about?.isForced ?? false,
    ...typed,
  };
}

/** Dialog that adds a caption file to a video. */
export function CaptionUpload({ videoId, onClose }: { videoId: string; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [typed, setTyped] = useState<Partial<Values>>({});
  const values = complete(file, typed);
  const change = (changed: typeof typed) => setTyped({ ...typed, ...changed });
  const { language } = values;
  const saving = useMutation({
    mutationFn: (chosen: File) =>
      addCaption(videoId, { ...values, file: chosen, language: languageCode(language) }),
    onSuccess: (added) => {
      onClose();
      for (const problem of problemsOf(added)) notify.failure(problem);
    },
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
      onSubmit={() => (file === null ? undefined : saving.mutateAsync(file))}
      onClose={onClose}
    >
      <FileField
        label="File"
        required
        accept=".srt,.vtt,.ass,.ssa,text/vtt"
        hint="SRT, WebVTT or ASS, at most 4 MB."
        onFile={setFile}
      />
      <TextField
        label="Language"
        required
        maxLength={35}
        value={language}
        onChange={({ target }) => change({ language: target.value })}
        hint={
          languageName(languageCode(language)) ?? "A name such as German, or a code such as pt-BR."
        }
      />
      <TextField
        label="Name"
        maxLength={60}
        value={values.name}
        onChange={({ target }) => change({ name: target.value })}
        hint="Shown in the player's menu. Leave empty to use the language name."
      />
      <SwitchField
        label="On by default"
        hint="For visitors who haven't chosen captions."
        checked={values.isDefault}
        onChange={({ target }) => change({ isDefault: target.checked })}
      />
      <SwitchField
        label="Forced"
        hint="Translates only speech in other languages. Shown while captions are off."
        checked={values.isForced}
        onChange={({ target }) => change({ isForced: target.checked })}
      />
    </ModalForm>
  );
}
