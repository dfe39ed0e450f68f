import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { limits } from "#contract/limits.ts";
import { AppError } from "#server/lib/app-error.ts";
import { receiveToFile, tooLargeMessage } from "#server/storage/receive-file.ts";
import { requireStillAllowed } from "./access/policy.ts";
import type { Storage } from "#server/storage/storage.ts";

/**
 * Options of routes whose body is a picture. Its type is detected from the content, not from the
 * Content-Type header.
 */
export const pictureRoute = {
  config: { isUpload: true, tooLargeMessage: tooLargeMessage(limits.maxThumbnailBytes) },
  bodyLimit: limits.maxThumbnailBytes + 1,
} as const;

/** Leaves bodies as streams in this scope. */
export function keepBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
}

/** Calls `use` with the body as a temporary local file. @throws AppError invalid. */
export async function withPicture<T>(
  request: FastifyRequest,
  storage: Storage,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const { body } = request;
  if (!(body instanceof Readable))
    throw new AppError("invalid", "Send the image as the request body.");
  await using scratch = await storage.createScratch();
  const path = `${scratch.path}/picture`;
  await receiveToFile(body, path, { maxBytes: limits.maxThumbnailBytes });
  await requireStillAllowed(request);
  // Awaited here, because the folder is deleted when this function ends.
  return await use(path);
}
