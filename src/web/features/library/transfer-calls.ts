import { claimedTransfer, transferCode } from "../../../contract/transfers.ts";
import { call } from "../../lib/api/http.ts";
import { parseLibrary, type LibraryData } from "../../lib/library/library-data.ts";

/** A code under which another device gets this library, once, for ten minutes. */
export async function createTransfer(data: LibraryData): Promise<string> {
  const body = { data: JSON.stringify(data) };
  const { code } = await call("/api/transfers", transferCode, { method: "POST", body });
  return code;
}

export async function claimTransfer(code: string): Promise<LibraryData> {
  const body = { code };
  const { data } = await call("/api/transfers/claim", claimedTransfer, { method: "POST", body });
  return parseLibrary(data);
}
