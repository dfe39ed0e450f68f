import { useState } from "react";
import type { SettingsForm } from "./settings-form.ts";

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
export function SettingsPreview({ form }: { form: SettingsForm }) {
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
