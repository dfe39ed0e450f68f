/** The browser can't read a chosen file any more, because it was changed, moved or deleted. */
export class UnreadableFileError extends Error {}

/** @throws UnreadableFileError if the browser can't read the file any more. */
export async function requireReadable(file: Blob): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new UnreadableFileError("The file was changed or moved. Choose it again.");
  }
}

/**
 * Sends a file. An unreadable file makes requests fail like a lost connection.
 * @throws UnreadableFileError if that is the reason why the request failed.
 */
export async function sendReadable<T>(file: Blob, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof TypeError) await requireReadable(file);
    throw error;
  }
}
