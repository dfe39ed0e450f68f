import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SiteSettings } from "#contract/site/settings.ts";
import { useLocation } from "react-router";
import { buttonClass } from "#web/components/ui/button.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { scrollToAnchor } from "#web/lib/page/scroll-to-anchor.ts";
import { adminHandle } from "../shared/admin-handle.ts";
import { PageHeader } from "../shared/page-header.tsx";
import { QueryError } from "../shared/query-error.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { sectionId } from "../shared/section.tsx";
import { settingsQuery } from "./calls.ts";
import { GeneralSection } from "./general-section.tsx";
import { otherSections } from "./other-sections.tsx";
import { useSectionEdit } from "./section-form.tsx";
import { findSections, sectionNames, settingsSections } from "./settings-sections.ts";
import { SettingsPreview } from "./settings-preview.tsx";
import { SitePreview } from "./site-preview.tsx";

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
