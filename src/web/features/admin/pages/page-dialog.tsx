import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { languages, type Language } from "#contract/site/languages.ts";
import {
  ownPage,
  ownPageHtml,
  ownPageList,
  ownPagePicture,
  ownPagePlaces,
  type OwnPage,
  type OwnPagePlace,
  type OwnPageTexts,
} from "#contract/site/own-pages.ts";
import { directionOf } from "#contract/site/translated-pages.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { OperatorText } from "#web/components/site/operator-text.tsx";
import { adminCall } from "../shared/admin-api.ts";
import { EditConflict } from "../shared/editing/edit-conflict.tsx";
import { createFormMerge, useEditedForm } from "../shared/editing/use-edited-form.ts";
import { conflictText } from "../shared/failure-text.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { PictureUpload } from "../shared/picture-upload.tsx";

export const pagesKey = ["admin", "pages"] as const;

export const placeNames: Record<OwnPagePlace, string> = {
  menu: "In the menu",
  footer: "In the footer",
  none: "Not linked",
};

const textParts = ["title", "markdown"] as const;
type TextPart = (typeof textParts)[number];
type TextName = `${Language}.${TextPart}`;

const eachText = (
  valueOf: (language: (typeof languages)[number], part: TextPart) => string,
): Record<TextName, string> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an entry for each text
  Object.fromEntries(
    languages.flatMap((language) =>
      textParts.map((part) => [`${language.code}.${part}`, valueOf(language, part)]),
    ),
  ) as Record<TextName, string>;

/** Texts are one field each, so that two editors can work on two languages. */
type PageForm = Omit<OwnPage, "id" | "version" | "texts"> & Record<TextName, string>;

function formOf(page: OwnPage | null): PageForm {
  const { address = "", place = "footer", isPublished = false, isIndexed = true } = page ?? {};
  const texts = eachText(({ code }, part) => page?.texts[code]?.[part] ?? "");
  return { address, place, isPublished, isIndexed, ...texts };
}

const textOf = (form: PageForm, code: Language) => ({
  title: form[`${code}.title`],
  markdown: form[`${code}.markdown`],
});
const hasText = (form: PageForm, code: Language) =>
  Object.values(textOf(form, code)).some((text) => text.trim() !== "");

/** Returns the texts of the languages that have one. */
const textsOf = (form: PageForm): OwnPageTexts =>
  Object.fromEntries(
    languages
      .filter(({ code }) => hasText(form, code))
      .map(({ code }) => [code, textOf(form, code)]),
  );

const pageMerge = createFormMerge<PageForm>(
  {
    address: "Address",
    place: "Link",
    isPublished: "Published",
    isIndexed: "Let search engines list the page",
    ...eachText(({ name }, part) => `${part === "title" ? "Title" : "Text"} (${name})`),
  },
  { place: ({ place }) => placeNames[place] },
);

function savePage(base: OwnPage | null, form: PageForm): Promise<OwnPage> {
  const { address, place, isPublished, isIndexed } = form;
  const body = { address, place, isPublished, isIndexed, texts: textsOf(form) };
  return base === null
    ? adminCall("/api/admin/pages", ownPage, { method: "POST", body })
    : adminCall(`/api/admin/pages/${base.id}`, ownPage, {
        method: "PUT",
        body: { ...body, version: base.version },
      });
}

async function loadPage(page: OwnPage | null): Promise<OwnPage | null> {
  const { pages } = await adminCall("/api/admin/pages", ownPageList);
  const stored = pages.find(({ id }) => id === page?.id);
  if (stored === undefined) throw new Error("The page was deleted");
  return stored;
}

/** Form of a page, with its text in each language and a preview. */
export function PageDialog({ page, onClose }: { page: OwnPage | null; onClose: () => void }) {
  const edit = useEditedForm<OwnPage | null, PageForm>({
    item: page,
    formOf,
    merge: pageMerge,
    save: savePage,
    load: () => loadPage(page),
  });
  const { form, set } = edit;
  const [language, setLanguage] = useState<Language>(
    languages.find(({ code }) => hasText(form, code))?.code ?? "en",
  );
  const text = textOf(form, language);
  const setText = (change: Partial<typeof text>) => {
    const { title, markdown } = { ...text, ...change };
    set({ [`${language}.title`]: title, [`${language}.markdown`]: markdown });
  };
  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: (isSaved) => {
      if (isSaved) onClose();
    },
    // A problem of another language would be invisible.
    onError: (error) => {
      const wrong = languages.find(({ code }) =>
        textParts.some((part) => issueOf(error, `texts.${code}.${part}`) !== null),
      );
      if (wrong !== undefined) setLanguage(wrong.code);
    },
    meta: { failure: "Failed to save the page", refreshes: pagesKey },
  });
  const preview = useMutation({
    mutationFn: (markdown: string) =>
      adminCall("/api/admin/pages/preview", ownPageHtml, { method: "POST", body: { markdown } }),
    meta: { failure: "Failed to show the preview" },
  });
  const { error } = saving;
  const direction = directionOf(language);
  const textIssue = issueOf(error, `texts.${language}.markdown`);
  const titleIssue =
    issueOf(error, `texts.${language}.title`) ??
    (textIssue === null ? issueOf(error, "texts") : null);
  return (
    <ModalForm
      size="large"
      title={page === null ? "Add page" : "Edit page"}
      submitLabel="Save page"
      busyLabel="Saving..."
      isBusy={saving.isPending}
      canSubmit={edit.clashes.length === 0}
      isDirty={edit.isDirty}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <EditConflict edit={edit} />
      <TextField
        label="Address after /pages/"
        hint="Letters a to z, digits and hyphens"
        required
        maxLength={60}
        spellCheck={false}
        autoCapitalize="none"
        dir="ltr"
        value={form.address}
        error={issueOf(error, "address") ?? conflictText(error)}
        onChange={({ target }) => set({ address: target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Link"
          value={form.place}
          onChange={({ target }) =>
            set({ place: ownPagePlaces.find((place) => place === target.value) ?? "none" })
          }
          options={ownPagePlaces.map((value) => ({ value, label: placeNames[value] }))}
        />
        <SelectField
          label="Language"
          hint="Visitors get their language, otherwise the site's"
          value={language}
          onChange={({ target }) =>
            setLanguage(languages.find(({ code }) => code === target.value)?.code ?? "en")
          }
          options={languages.map(({ code, name }) => ({
            value: code,
            label: hasText(form, code) ? name : `${name} (no text)`,
          }))}
        />
      </div>
      <TextField
        label="Title"
        maxLength={100}
        lang={language}
        dir={direction}
        value={text.title}
        error={titleIssue}
        onChange={({ target }) => setText({ title: target.value })}
      />
      <TextAreaField
        label="Text (Markdown)"
        rows={12}
        lang={language}
        dir={direction}
        value={text.markdown}
        error={textIssue}
        onChange={({ target }) => setText({ markdown: target.value })}
      />
      <div className="flex flex-wrap items-start gap-2">
        <PictureUpload
          label="Add picture"
          send={(file) =>
            adminCall("/api/admin/pages/pictures", ownPagePicture, { method: "POST", body: file })
          }
          onSent={({ url }) =>
            setText({ markdown: `${text.markdown.trimEnd()}\n\n![](${url})\n`.trimStart() })
          }
        />
        <Button disabled={preview.isPending} onClick={() => preview.mutate(text.markdown)}>
          {preview.isPending ? "Loading..." : "Preview"}
        </Button>
      </div>
      {preview.data === undefined ? null : (
        <section
          aria-label="Preview"
          lang={language}
          dir={direction}
          className="rounded-md border border-line p-4"
        >
          <h2 className="mb-3 text-xl font-semibold tracking-tight">
            <bdi>{text.title}</bdi>
          </h2>
          <OperatorText html={preview.data.html} />
        </section>
      )}
      <SwitchField
        label="Published"
        hint="Drafts are visible only here"
        checked={form.isPublished}
        onChange={({ target }) => set({ isPublished: target.checked })}
      />
      <SwitchField
        label="Let search engines list the page"
        checked={form.isIndexed}
        onChange={({ target }) => set({ isIndexed: target.checked })}
      />
    </ModalForm>
  );
}
