import { dataSaverKey } from "./device-storage.ts";

/** Returns whether the visitor asked this site for less data. */
export function isDataSaverOn(): boolean {
  try {
    return localStorage.getItem(dataSaverKey) !== null;
  } catch {
    return false;
  }
}

export function setDataSaver(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(dataSaverKey, "1");
    else localStorage.removeItem(dataSaverKey);
  } catch {
    // Without storage, the browser's own setting applies.
  }
}

const connection = (): object => {
  const found: unknown = Reflect.get(navigator, "connection");
  return typeof found === "object" && found !== null ? found : {};
};

/** Returns whether the visitor asked for less data, here or in the browser's settings. */
export function wantsLessData(): boolean {
  return isDataSaverOn() || Reflect.get(connection(), "saveData") === true;
}

/** Returns whether the visitor asked for less data, or the connection is slow. */
export function isSavingData(): boolean {
  const kind: unknown = Reflect.get(connection(), "effectiveType");
  return wantsLessData() || kind === "slow-2g" || kind === "2g" || kind === "3g";
}
