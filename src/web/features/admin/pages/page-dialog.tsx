import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { languages, type Language } from "#contract/site/languages.ts";
import {
  ownPage,
  ownPageHtml,
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
import { conflictText } from "../shared/failure-text.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { PictureUpload } from "../shared/picture-upload.tsx";

export const pagesKey = ["admin", "pages"] as const;

export const placeNames: Record<OwnPagePlace, string> = {
  menu: "In the menu",
  footer: "In the footer",
  none: "Not linked",
};

/** Returns the texts of which at least one part is filled. */
const filledTexts = (texts: OwnPageTexts): OwnPageTexts =>
  Object.fromEntries(
    Object.entries(texts).filter(
      ([, text]) => text !== undefined && `${text.title}${text.markdown}`.trim() !== "",
    ),
  );

type PageForm = Omit<OwnPage, "id" | "version">;

const newPage: PageForm = {
  address: "",
  place: "footer",
  isPublished: false,
  isIndexed: true,
  texts: {},
};

/** Form of a page, with its text in each language and a preview. */
export function PageDialog({ page, onClose }: { page: OwnPage | null; onClose: () => void }) {
  const initial: PageForm = page ?? newPage;
  const [form, setForm] = useState(initial);
  const [language, setLanguage] = useState<Language>(
    languages.find(({ code }) => initial.texts[code] !== undefined)?.code ?? "en",
  );
  const text = form.texts[language] ?? { title: "", markdown: "" };
  const set = (change: Partial<typeof form>) => setForm((before) => ({ ...before, ...change }));
  const setText = (change: Partial<typeof text>) =>
    setForm((before) => ({
      ...before,
      texts: {
        ...before.texts,
        [language]: { title: "", markdown: "", ...before.texts[language], ...change },
      },
    }));
  const saving = useMutation({
    mutationFn: () => {
      const { address, place, isPublished, isIndexed } = form;
      const texts = filledTexts(form.texts);
      const body = { address, place, isPublished, isIndexed, texts };
      return page === null
        ? adminCall("/api/admin/pages", ownPage, { method: "POST", body })
        : adminCall(`/api/admin/pages/${page.id}`, ownPage, {
            method: "PUT",
            body: { ...body, version: page.version },
          });
    },
    onSuccess: onClose,
    meta: { failure: "Failed to save the page", refreshes: pagesKey },
  });
  const preview = useMutation({
    mutationFn: (markdown: string) =>
      adminCall("/api/admin/pages/preview", ownPageHtml, { method: "POST", body: { markdown } }),
    meta: { failure: "Failed to show the preview" },
  });
  const { error } = saving;
  const direction = directionOf(language);
  const titleIssue = issueOf(error, `texts.${language}.title`) ?? issueOf(error, "texts");
  return (
    <ModalForm
      size="large"
      title={page === null ? "Add page" : "Edit page"}
      submitLabel="Save page"
      busyLabel="Saving..."
      isBusy={saving.isPending}
      isDirty={JSON.stringify(form) !== JSON.stringify(initial)}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
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
            label: filledTexts(form.texts)[code] === undefined ? `${name} (no text)` : name,
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
        error={issueOf(error, `texts.${language}.markdown`)}
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
        <section aria-label="Preview" lang={language} className="rounded-md border border-line p-4">
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
