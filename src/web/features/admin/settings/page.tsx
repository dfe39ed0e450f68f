import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useCallback, useRef } from "react";
import { useLocation } from "react-router";
import type { SiteSettings } from "#contract/site/settings.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { scrollToAnchor } from "#web/lib/page/location.ts";
import { accentTokenNames, accentTokens } from "#contract/site/accent.ts";
import { groundProblem, textGrounds, themeTokenNames, themeTokens } from "#contract/site/theme.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
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

/** Applies this theme of the form to a page, regardless of the saved one. */
function paint(page: Document, form: SettingsForm, theme: Theme): void {
  // A page that is still loading has no root element yet.
  const root = page.querySelector("html");
  if (root === null) return;
  root.dataset["theme"] = theme;
  // Without this property, as in older versions of WebKit, the preview doesn't scroll at all.
  if (CSS.supports("scrollbar-width", "none")) root.style.scrollbarWidth = "none";
  else root.style.overflow = "hidden";
  const accent = form.accentColor.trim().toLowerCase();
  const ground = form.groundColor.trim().toLowerCase();
  const hasGround = ground !== "" && groundProblem(ground) === null;
  const groundColor = hasGround ? ground : null;
  const { cornerRadius, font } = form;
  const tokens = {
    ...(accent !== "" && accentError(accent) === null
      ? accentTokens(accent, textGrounds(groundColor))
      : {}),
    ...themeTokens({ groundColor, cornerRadius, font }),
  };
  for (const name of [...accentTokenNames, ...themeTokenNames]) {
    const value = tokens[name];
    if (value === undefined) root.style.removeProperty(name);
    else root.style.setProperty(name, value);
  }
}

/** Screens of the preview: sizes in px, and how far they are reduced to fit beside the form. */
const screens = {
  phone: { width: 390, height: 760, scale: 0.7 },
  desktop: { width: 1280, height: 1760, scale: 0.22 },
} as const;
type Screen = keyof typeof screens;

/** Shows the home page in either theme on a phone or desktop, with colors and font from the form. */
function SitePreview({ form, version }: { form: SettingsForm; version: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [theme, setTheme] = useState<Theme>("dark");
  const [screen, setScreen] = useState<Screen>("phone");
  const { width, height, scale } = screens[screen];
  const show = useCallback(() => {
    const page = frame.current?.contentDocument;
    if (page !== null && page !== undefined) paint(page, form, theme);
  }, [form, theme]);
  useEffect(show, [show]);
  return (
    <section
      aria-labelledby="site-preview"
      className="mt-6 rounded-lg bg-ink-2 p-5 lg:sticky lg:top-20"
    >
      <h2 id="site-preview" className="mb-3 font-semibold">
        Site preview
      </h2>
      <div className="mb-3 grid grid-cols-2 gap-3">
        <SelectField
          label="Preview theme"
          value={theme}
          onChange={({ target }) =>
            setTheme(themes.find((each) => each === target.value) ?? "dark")
          }
          options={themes.map((value) => ({ value, label: messages.themes[value] }))}
        />
        <SelectField
          label="Preview screen"
          value={screen}
          onChange={({ target }) => setScreen(target.value === "desktop" ? "desktop" : "phone")}
          options={[
            { value: "phone", label: "Phone" },
            { value: "desktop", label: "Desktop" },
          ]}
        />
      </div>
      <div
        className="mx-auto max-w-full overflow-hidden rounded-md border border-line"
        style={{ width: width * scale, height: height * scale }}
      >
        {/* Not sandboxed, because a page of this site needs its scripts. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        <iframe
          key={version}
          ref={frame}
          src="/home"
          title="Site preview"
          loading="lazy"
          className="max-w-none origin-top-left border-0"
          style={{ width, height, transform: `scale(${scale})` }}
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
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[13rem_minmax(0,1fr)_20rem]">
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
      {/* As tall as the forms, so that the second preview stays beside them. */}
      <div className="lg:h-full">
        <SettingsPreview form={form} />
        <SitePreview form={form} version={String(base.version)} />
      </div>
    </div>
  );
}
