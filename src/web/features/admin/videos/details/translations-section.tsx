import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { languageCodes, languages, type Language } from "#contract/site/languages.ts";
import { limits } from "#contract/limits.ts";
import { directionOf } from "#contract/site/translated-pages.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { bindFields } from "../../shared/bind-fields.ts";
import { EditConflict } from "../../shared/editing/edit-conflict.tsx";
import { createFormMerge, useEditedForm } from "../../shared/editing/use-edited-form.ts";
import { Section } from "../../shared/section.tsx";
import { notify } from "../../shared/notices.tsx";
import { discardThen, useUnsaved } from "../../shared/unsaved.ts";
import { getVideo, updateVideo } from "../calls.ts";

const isLanguage = (code: string): code is Language => languageCodes.some((each) => each === code);

/** Form for the title and description of a video in other languages, one at a time. */
export function TranslationsSection({ video }: { video: Video }) {
  const [language, setLanguage] = useState<Language>("de");
  return (
    <Section
      title="Translations"
      hint="Shown on pages in that language and included in search. Leave a field empty to use the original."
    >
      <SelectField
        label="Language"
        className="max-w-60"
        value={language}
        onChange={({ target: { value } }) => {
          if (isLanguage(value)) discardThen(() => setLanguage(value));
        }}
        options={languages.map(({ code, name }) => ({
          value: code,
          label: video.translations?.[code] === undefined ? name : `${name} ✓`,
        }))}
      />
      <TranslationForm key={language} video={video} language={language} />
    </Section>
  );
}

interface Translation {
  title: string;
  description: string;
}

const merge = createFormMerge<Translation>({
  title: "Translated title",
  description: "Translated description",
});

/** Keeps the text of an editor who saves at the same time, and of a cut that moved its times. */
function TranslationForm({ video, language }: { video: Video; language: Language }) {
  const client = useQueryClient();
  const edit = useEditedForm<Video, Translation>({
    item: video,
    formOf: ({ translations }) => ({
      title: translations?.[language]?.title ?? "",
      description: translations?.[language]?.description ?? "",
    }),
    merge,
    save: ({ translations, version }, form) =>
      updateVideo(video.id, { translations: { ...translations, [language]: form }, version }),
    load: () => getVideo(video.id),
  });
  useUnsaved(edit.isDirty);
  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: async (isSaved) => {
      if (!isSaved) return;
      notify.success("Translation saved");
      await client.invalidateQueries({ queryKey: ["admin"] });
    },
    meta: { failure: "Failed to save the translation" },
  });
  const canSave = edit.isDirty && edit.clashes.length === 0 && !saving.isPending;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (canSave) saving.mutate();
  };
  const fields = bindFields(edit.form, edit.set);
  const written = { lang: language, dir: directionOf(language) };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <EditConflict edit={edit} />
      <TextField
        label="Translated title"
        maxLength={limits.titleMax}
        placeholder={video.title}
        {...written}
        {...fields.text("title")}
      />
      <TextAreaField
        label="Translated description"
        rows={4}
        maxLength={limits.descriptionMax}
        {...written}
        {...fields.text("description")}
      />
      <div>
        <Button type="submit" disabled={!canSave}>
          {saving.isPending ? "Saving..." : "Save translation"}
        </Button>
      </div>
    </form>
  );
}
