import { MonitorIcon, MoonIcon, SunIcon } from "lucide-react";
import { setTheme, useTheme, type Theme } from "#web/lib/theme.ts";
import { buttonClass } from "#web/components/ui/button.tsx";
import { layoutMessages as messages } from "./messages.ts";

const next: Record<Theme, Theme> = { system: "dark", dark: "light", light: "system" };
const names = {
  system: "themeSystem",
  dark: "themeDark",
  light: "themeLight",
} as const satisfies Record<Theme, string>;

/**
 * Button that cycles through the automatic, dark and light themes. Its label is the current choice.
 */
export function ThemeSwitch() {
  const theme = useTheme();
  const Icon = { system: MonitorIcon, dark: MoonIcon, light: SunIcon }[theme];
  const label = messages.theme(messages[names[theme]]);
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={buttonClass({ kind: "ghost", isSquare: true })}
      onClick={() => setTheme(next[theme])}
    >
      <Icon className="size-5" />
    </button>
  );
}
