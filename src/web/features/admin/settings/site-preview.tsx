import { useCallback, useEffect, useRef, useState } from "react";
import { accentTokenNames, accentTokens } from "#contract/site/accent.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { accentError } from "./accent-field.tsx";
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
export function SitePreview({ accent, version }: { accent: string; version: string }) {
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
