import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useCallback, useRef } from "react";
import { useLocation } from "react-router";
import type { SiteSettings } from "#contract/site/settings.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { scrollToAnchor } from "#web/lib/page/location.ts";
import { accentTokenNames, accentTokens } from "#contract/site/accent.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { adminHandle } from "../shared/admin-page.ts";
import { PageHeader } from "../shared/page-header.tsx";
import { QueryError } from "../shared/query-error.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { sectionId } from "../shared/section.tsx";
import { settingsQuery } from "./calls.ts";
import { GeneralSection, accentError } from "./general-section.tsx";
import { otherSections } from "./other-sections.tsx";
import { useSectionEdit } from "./section-form.tsx";
import { findSections, sectionNames, settingsSections } from "./settings-sections.ts";
import type { SettingsForm } from "./settings-form.ts";
import { settingsMessages as messages } from "./messages.ts";

const themes = ["dark", "light"] as const;
type Theme = (typeof themes)[number];

/** Applies this accent and theme to a page, regardless of the saved ones. */
function paint(page: Document, accent: string, theme: Theme): void {
  // A page that is still loading has no root element yet.
  const root = page.querySelector("html");
  if (root === null) return;
  root.dataset["theme"] = theme;
  const isUsable = accent.trim() !== "" && accentError(accent) === null;
  const tokens = isUsable ? accentTokens(accent.trim().toLowerCase()) : {};
  for (const name of accentTokenNames) {
    const value = tokens[name];
    if (value === undefined) root.style.removeProperty(name);
    else root.style.setProperty(name, value);
  }
}

/** Shows the home page in either theme, with the accent colour from the form. */
function SitePreview({ accent, version }: { accent: string; version: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [theme, setTheme] = useState<Theme>("dark");
  const show = useCallback(() => {
    const page = frame.current?.contentDocument;
    if (page !== null && page !== undefined) paint(page, accent, theme);
  }, [accent, theme]);
  useEffect(show, [show]);
  return (
    <section aria-labelledby="site-preview" className="mt-6 rounded-lg bg-ink-2 p-5">
      <h2 id="site-preview" className="mb-3 font-semibold">
        Site preview
      </h2>
      <SelectField
        label="Preview theme"
        className="mb-3"
        value={theme}
        onChange={({ target }) => setTheme(themes.find((each) => each === target.value) ?? "dark")}
        options={themes.map((value) => ({ value, label: messages.themes[value] }))}
      />
      {/* A phone screen at three quarters of its size. */}
      <div className="mx-auto h-120 w-full max-w-73 overflow-hidden rounded-md border border-line">
        {/* Not sandboxed, because a page of this site needs its scripts. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        <iframe
          key={version}
          ref={frame}
          src="/home"
          title="Site preview"
          loading="lazy"
          className="h-160 w-[133.34%] origin-top-left scale-75 border-0"
          onLoad={show}
        />
      </div>
    </section>
  );
}

/** Shows the logo, or "Invalid URL" if it fails to load. */
function LogoPreview({ url }: { url: string }) {
  const [failed, setFailed] = useState("");
  if (failed === url) return <span className="text-danger-text">Invalid URL</span>;
  return (
    <img
      src={url}
      alt="Logo"
      className="max-h-16 max-w-full object-contain"
      loading="lazy"
      onError={() => setFailed(url)}
    />
  );
}

/** Read-only preview of the settings. */
function SettingsPreview({ form }: { form: SettingsForm }) {
  const text = (value: string) =>
    value.trim() === "" ? <span className="text-ink-11">Not set</span> : value.trim();
  const logo = form.logoUrl.trim();
  const rows = [
    ["Name", text(form.siteName)],
    ["Description", text(form.siteDescription)],
    ["URL", text(form.siteUrl)],
    ["Logo", logo === "" ? text("") : <LogoPreview key="logo" url={logo} />],
  ] as const;
  return (
    <section aria-labelledby="settings-preview" className="rounded-lg bg-ink-2 p-5">
      <h2 id="settings-preview" className="mb-3 font-semibold">
        Preview
      </h2>
      <dl className="grid gap-3">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt className="text-ink-11">{name}</dt>
            <dd className="mt-0.5 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export const handle = adminHandle("Settings");

export function Component() {
  const settings = useQuery(settingsQuery);
  useEffect(() => {
    // Logs a failed load. The page offers to try again.
    if (settings.error !== null) console.warn("Couldn't load the settings", settings.error);
  }, [settings.error]);

  return (
    <>
      <PageHeader title="Site Settings">
        <a href="/admin/settings/texts" className={buttonClass({ kind: "quiet" })}>
          Page texts
        </a>
      </PageHeader>
      {settings.isLoadingError ? (
        <QueryError message="Failed to load settings" query={settings} />
      ) : settings.data === undefined ? (
        <Spinner label="Loading" />
      ) : (
        <SettingsEditor settings={settings.data} />
      )}
    </>
  );
}

/** Shows section links on the left, forms in the middle and the preview on the right. */
function SettingsEditor({ settings }: { settings: SiteSettings }) {
  const [search, setSearch] = useState("");
  const found = findSections(search);
  const general = useSectionEdit(settings, "general");
  const { form, base } = general.edit;
  const { hash } = useLocation();
  // The router scrolls before the settings have loaded and the sections exist.
  useEffect(() => {
    if (hash !== "") scrollToAnchor(hash);
  }, [hash]);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[12rem_minmax(0,1fr)_20rem]">
      <div className="grid gap-3 max-xl:col-span-full xl:sticky xl:top-20">
        <SearchField
          label="Search settings"
          placeholder="Search settings"
          value={search}
          onValue={setSearch}
        />
        <nav aria-label="Sections">
          <ul className="flex flex-wrap gap-0.5 xl:grid">
            {found
              .flatMap((name) => settingsSections[name].titles)
              .map((title) => (
                <li key={title}>
                  <a href={`#${sectionId(title)}`} className="nav-link w-full lg:min-h-9!">
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
      </div>
      <div className="grid max-w-3xl gap-6">
        {found.length === 0 ? <p role="status">No settings found.</p> : null}
        {sectionNames.map((name) => {
          const isHidden = !found.includes(name);
          if (name === "general") {
            return <GeneralSection key={name} section={general} isHidden={isHidden} />;
          }
          const Other = otherSections[name];
          return <Other key={name} settings={settings} isHidden={isHidden} />;
        })}
      </div>
      <div className="lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
        <SettingsPreview form={form} />
        <SitePreview accent={form.accentColor} version={String(base.version)} />
      </div>
    </div>
  );
}
