// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";
import { expandMacros } from "../../contract/vast-macros.ts";
import { saveConsent } from "#web/lib/consent.ts";
import { macroEnvironment } from "./macro-environment.ts";

afterEach(() => Reflect.deleteProperty(window, "__tcfapi"));

const expand = () => expandMacros("/?c=[GDPRCONSENT]", {}, macroEnvironment);

test("passes no consent, the visitor's choice, or a platform's string to ads", () => {
  expect(expand()).toBe("/?c=-1");
  saveConsent("no");
  expect(expand()).toBe("/?c=0");
  saveConsent("yes");
  expect(expand()).toBe("/?c=1");

  const listeners: ((data: unknown, isOk: boolean) => void)[] = [];
  const platform = (command: string, version: number, listener: (typeof listeners)[number]) => {
    expect([command, version]).toEqual(["addEventListener", 2]);
    listeners.push(listener);
    listener({ tcString: "" }, true);
  };
  Reflect.set(window, "__tcfapi", platform);
  expect(expand()).toBe("/?c=1");
  listeners[0]?.({ tcString: "CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA" }, true);
  expect(expand()).toBe("/?c=CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA");
  listeners[0]?.(null, false);
  expect(expand()).toBe("/?c=1");
  expect(listeners).toHaveLength(1);
});
