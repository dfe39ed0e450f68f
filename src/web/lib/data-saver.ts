import { dataSaverKey, readStored, writeStored } from "./device-storage.ts";

/** Returns whether the visitor asked this site for less data. */
export const isDataSaverOn = (): boolean => readStored(dataSaverKey) !== null;

export function setDataSaver(isOn: boolean): void {
  writeStored(dataSaverKey, isOn ? "1" : null);
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
