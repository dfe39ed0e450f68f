import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { languageCodes, languages, type Language } from "#contract/site/languages.ts";
import { limits } from "#contract/limits.ts";
import { directionOf } from "#contract/site/translated-pages.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Section } from "../../shared/section.tsx";
import { notify } from "../../shared/notices.tsx";
import { discardThen, useUnsaved } from "../../shared/unsaved.ts";
import { updateVideo } from "../calls.ts";

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

function TranslationForm({ video, language }: { video: Video; language: Language }) {
  const client = useQueryClient();
  const stored = video.translations?.[language];
  const [title, setTitle] = useState(stored?.title ?? "");
  const [description, setDescription] = useState(stored?.description ?? "");
  const isChanged = title !== (stored?.title ?? "") || description !== (stored?.description ?? "");
  useUnsaved(isChanged);
  const saving = useMutation({
    mutationFn: () =>
      updateVideo(video.id, {
        translations: { ...video.translations, [language]: { title, description } },
        version: video.version,
      }),
    onSuccess: async () => {
      notify.success("Translation saved");
      await client.invalidateQueries({ queryKey: ["admin"] });
    },
    meta: { failure: "Failed to save the translation" },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (saving.isPending || !isChanged) return;
    saving.mutate(undefined, {
      onSuccess: ({ translations }) => {
        const saved = translations?.[language];
        // Input typed during the request is preserved.
        setTitle((now) => (now === title ? (saved?.title ?? "") : now));
        setDescription((now) => (now === description ? (saved?.description ?? "") : now));
      },
    });
  };
  const written = { lang: language, dir: directionOf(language) };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <TextField
        label="Translated title"
        maxLength={limits.titleMax}
        placeholder={video.title}
        {...written}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextAreaField
        label="Translated description"
        rows={4}
        maxLength={limits.descriptionMax}
        {...written}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      <div>
        <Button type="submit" disabled={!isChanged || saving.isPending}>
          {saving.isPending ? "Saving..." : "Save translation"}
        </Button>
      </div>
    </form>
  );
}
