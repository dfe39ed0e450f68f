import type { DetailedError } from "tus-js-client";
import { errorStatus } from "#contract/errors.ts";
import { ApiError } from "#web/lib/api/http.ts";
import { pageTokenHeaders } from "#web/lib/page-token.ts";
import { failureWithReason } from "../../shared/failure-text.ts";
import { requireReadable } from "../../shared/readable-file.ts";
import { recover } from "../../shared/session-renewal.ts";

export interface TransferEvents {
  onUrl: (url: string) => void;
  onProgress: (sentBytes: number) => void;
  /**
   * Called when the upload will retry, with a message if the server has no space or rate-limits
   * the user, or null if the connection was lost.
   */
  onWaiting: (problem: string | null) => void;
}

const partBytes = 16 * 1024 * 1024;
/** Milliseconds between retries. The first ones are fast, then one every three seconds. */
export const retryDelays = [0, 500, 1000, ...Array.from({ length: 4000 }, () => 3000)];

function apiErrorOf(error: DetailedError): Error {
  const response = error.originalResponse;
  if (response === null) return new TypeError("Network error");
  let body: unknown = null;
  try {
    body = JSON.parse(response.getBody());
  } catch {
    // The response came from a proxy.
  }
  return new ApiError(response.getStatus(), body);
}

/** Returns whether a status is final. Other failures are retried. */
export const isFinal = (status: number) =>
  status >= 400 && status < 500 && ![408, 409, 423, 425, 429].includes(status);

/**
 * Sends a file in parts with the tus protocol. After a lost connection, it continues after the last
 * byte that the server received. If the session ends, the user signs in again over the page.
 */
export function startTransfer(
  file: Blob,
  about: { name: string; type: string; uploadUrl: string | null },
  events: TransferEvents,
) {
  let stopNow: ((isForgotten: boolean) => Promise<void>) | undefined;
  let isStopped = false;
  let isRefused = false;

  const run = async (uploadUrl: string | null): Promise<void> => {
    const { Upload } = await import("tus-js-client");
    let url = uploadUrl;
    const error = await new Promise<Error | null>((resolve) => {
      if (isStopped) {
        resolve(new DOMException("Aborted", "AbortError"));
        return;
      }
      const upload = new Upload(file, {
        endpoint: "/api/uploads",
        uploadUrl,
        chunkSize: partBytes,
        headers: pageTokenHeaders(),
        retryDelays,
        metadata: { filename: about.name, filetype: about.type },
        // The upload memory stores the URL together with the form.
        storeFingerprintForResuming: false,
        onUploadUrlAvailable: () => {
          url = upload.url;
          if (url !== null) events.onUrl(url);
        },
        onProgress(sentBytes) {
          // After a refusal, sent bytes mean nothing until the server has stored a part.
          if (!isRefused) events.onProgress(sentBytes);
        },
        onChunkComplete: () => {
          isRefused = false;
        },
        onShouldRetry: (failure) => {
          const status = failure.originalResponse?.getStatus() ?? 0;
          if (isFinal(status)) return false;
          if (failure.originalResponse === null) {
            requireReadable(file).catch((unreadable: Error) => {
              resolve(unreadable);
              void stopNow?.(true);
            });
          }
          isRefused = status === errorStatus.storage_full || status === errorStatus.rate_limited;
          events.onWaiting(
            isRefused ? failureWithReason("Upload paused, retrying", apiErrorOf(failure)) : null,
          );
          return true;
        },
        onAfterResponse(request, response) {
          const status = response.getStatus();
          // Otherwise, the library starts a new upload, without the received bytes.
          if (request.getMethod() === "HEAD" && status >= 400 && !isFinal(status)) {
            throw new Error(`The server responded with ${status}`);
          }
        },
        onSuccess: () => resolve(null),
        onError: (failure) =>
          resolve("originalResponse" in failure ? apiErrorOf(failure) : failure),
      });
      stopNow = async (isForgotten) => {
        resolve(new DOMException("Aborted", "AbortError"));
        // If the server is unreachable, its sweep deletes the upload later.
        await upload.abort(isForgotten).catch(() => undefined);
      };
      upload.start();
    });
    if (error === null) return;
    if (await recover(error)) return run(url);
    throw error;
  };

  return {
    /**
     * Resolves when every byte has arrived.
     * @throws ApiError if the server refuses the file. UnreadableFileError if the browser can't read
     * the file any more.
     */
    done: run(about.uploadUrl),
    /** Stops the upload. With `isForgotten`, the server deletes the received bytes. */
    async stop(isForgotten: boolean): Promise<void> {
      isStopped = true;
      await stopNow?.(isForgotten);
    },
  };
}

export type PartTransfer = ReturnType<typeof startTransfer>;

/** Returns the id with which the form refers to the upload. */
export function uploadIdOf(uploadUrl: string): string {
  return uploadUrl.slice(uploadUrl.lastIndexOf("/") + 1);
}
