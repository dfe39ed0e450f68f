import { call } from "../../../lib/http.ts";
import { flag, object } from "../../../lib/shape.ts";

const address = (slug: string) => `/api/videos/${encodeURIComponent(slug)}/favorite`;
const shape = object<{ isFavorite: boolean }>({ isFavorite: flag });

export async function fetchFavorite(slug: string, signal: AbortSignal): Promise<boolean> {
  return (await call(address(slug), shape, { signal })).isFavorite;
}

export async function setFavorite(slug: string, isFavorite: boolean): Promise<boolean> {
  const method = isFavorite ? "POST" : "DELETE";
  return (await call(address(slug), shape, { method })).isFavorite;
}
