import { useQuery } from "@tanstack/react-query";
import { limits } from "#contract/limits.ts";

/** Reads the server's limit through the tus protocol. */
async function readMaxBytes(): Promise<number> {
  const response = await fetch("/api/uploads", { method: "OPTIONS" });
  const told = Number(response.headers.get("tus-max-size"));
  return told > 0 ? told : limits.maxUploadBytes;
}

export function useMaxBytes(): number {
  const read = useQuery({ queryKey: ["upload limit"], queryFn: readMaxBytes, staleTime: Infinity });
  return read.data ?? limits.maxUploadBytes;
}
