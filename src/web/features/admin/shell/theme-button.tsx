import { MonitorIcon, MoonIcon, SunIcon } from "lucide-react";
import { setTheme, useTheme, type Theme } from "#web/lib/theme.ts";
import { IconButton } from "../shared/icon-button.tsx";

const looks: Record<Theme, { label: string; next: Theme; Icon: typeof SunIcon }> = {
  system: { label: "Theme: automatic", next: "dark", Icon: MonitorIcon },
  dark: { label: "Theme: dark", next: "light", Icon: MoonIcon },
  light: { label: "Theme: light", next: "system", Icon: SunIcon },
};

/** Button that cycles through the automatic, dark and light themes. */
export function ThemeButton() {
  const { label, next, Icon } = looks[useTheme()];
  return (
    <IconButton Icon={Icon} iconClassName="size-4.5" label={label} onClick={() => setTheme(next)} />
  );
}
