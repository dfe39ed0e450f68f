import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import { AppError } from "#server/lib/app-error.ts";
import { normalizeLineBreaks } from "#server/lib/line-breaks.ts";

export interface MultipartLimits {
  fieldBytes: number;
  fields: number;
  files: number;
}

/**
 * Parses a multipart body as it arrives and returns its fields. Passes each file to `onFile`, which
 * must read it to the end or fail. Only fields are held in memory.
 * @throws AppError invalid for a body that isn't a complete multipart form; the errors of `onFile`.
 */
export function readMultipart(
  request: { headers: IncomingHttpHeaders; body: Readable },
  limits: MultipartLimits,
  onFile: (name: string, stream: BusboyFileStream, fileName: string) => Promise<void>,
): Promise<Record<string, string>> {
  const contentType = request.headers["content-type"];
  if (contentType === undefined || !/^multipart\/form-data\s*;/i.test(contentType)) {
    return Promise.reject(
      new AppError("unsupported_media", "Send the video as multipart/form-data."),
    );
  }
  return new Promise((resolve, reject) => {
    // A Map, because names such as "__proto__" come from clients.
    const fields = new Map<string, string>();
    const files: Promise<void>[] = [];
    const streams: BusboyFileStream[] = [];
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { ...request.headers, "content-type": contentType },
        limits: {
          fieldSize: limits.fieldBytes,
          fields: limits.fields,
          files: limits.files,
          fieldNameSize: 100,
        },
      });
    } catch (error) {
      reject(new AppError("invalid", "The form couldn't be read.", { cause: error }));
      return;
    }

    const fail = (error: unknown) => {
      request.body.unpipe(parser);
      // Discards the rest of the body, so that the client reads the response.
      request.body.resume();
      parser.destroy();
      // Otherwise `onFile` would wait for the rest forever and keep its file open.
      for (const stream of streams) stream.destroy();
      reject(error);
    };
    parser.on("field", (name, value, isNameTruncated, isValueTruncated) => {
      if (isNameTruncated || isValueTruncated) {
        fail(new AppError("invalid", `The ${name.slice(0, 40)} field is too long.`));
      } else fields.set(name, normalizeLineBreaks(value));
    });
    parser.on("file", (name, stream, fileName) => {
      streams.push(stream);
      const done = onFile(name, stream, fileName);
      files.push(done);
      done.catch(fail);
    });
    parser.on("fieldsLimit", () => fail(new AppError("invalid", "The form has too many fields.")));
    parser.on("filesLimit", () => fail(new AppError("invalid", "The form has too many files.")));
    parser.on("error", (error) =>
      fail(new AppError("invalid", "The form is incomplete.", { cause: error })),
    );
    parser.on("finish", () => {
      Promise.all(files).then(() => resolve(Object.fromEntries(fields)), reject);
    });
    request.body.on("aborted", () =>
      fail(new AppError("invalid", "The upload was interrupted before it was complete.")),
    );
    request.body.pipe(parser);
  });
}
