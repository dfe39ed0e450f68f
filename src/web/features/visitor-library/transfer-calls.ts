import { claimedTransfer, transferCode } from "#contract/visitors/device-transfers.ts";
import { call } from "#web/lib/api/http.ts";
import { parseDevice, type DeviceData } from "./device-data.ts";

/** Returns a code with which another device can fetch this text once, within ten minutes. */
export async function createTransfer(data: string): Promise<string> {
  const body = { data };
  const { code } = await call("/api/transfers", transferCode, { method: "POST", body });
  return code;
}

export async function claimTransfer(code: string): Promise<DeviceData> {
  const body = { code };
  const { data } = await call("/api/transfers/claim", claimedTransfer, { method: "POST", body });
  return parseDevice(data);
}
