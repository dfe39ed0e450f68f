import type { Locator, Page } from "playwright-core";
import { inLanguage } from "#web/lib/language/page-language.ts";

const playerMessages = inLanguage("player");

type SettingsTexts = Pick<typeof playerMessages, "settings">;

/**
 * Opens the player's settings and a submenu. Moves the pointer first, because idle controls are
 * hidden.
 */
export async function openSettings(
  page: Page,
  submenu?: string,
  texts: SettingsTexts = playerMessages,
): Promise<Locator> {
  await page.locator(".player-touch").hover({ position: { x: 40, y: 60 } });
  await page.getByRole("button", { name: texts.settings }).click();
  const menu = page.getByRole("menu", { name: texts.settings });
  if (submenu !== undefined) await openSubmenu(menu, submenu);
  return menu;
}

/** The row's accessible name ends with the selected value. */
export const openSubmenu = (menu: Locator, name: string): Promise<void> =>
  menu.locator("[data-group]").filter({ hasText: name }).click();

/** Returns to the first menu. */
export const leaveSubmenu = (menu: Locator): Promise<void> =>
  menu.locator(".player-menu-back").click();
