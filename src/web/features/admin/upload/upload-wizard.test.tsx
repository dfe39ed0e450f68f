// @vitest-environment happy-dom
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import type { DetailedError, UploadOptions } from "tus-js-client";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { choose, fill, press } from "#test/harness/press.ts";
import { failure } from "#test/harness/stub-fetch.ts";
import { openAdminPage } from "../shared/admin-page.fixture.tsx";
import { useUnsaved } from "../shared/unsaved.ts";
import { adminVideo } from "../videos/video.fixture.ts";
import { fakeUploadDatabase, grantLocks, storedUpload } from "./queue/upload-database.fixture.ts";

const megabyte = 1024 * 1024;
const clip = new File(["bytes of a clip"], "my_first-clip.mp4", { type: "video/mp4" });

/** Request with a form, which the test responds to. */
class Upload extends EventTarget {
  static sent: Upload[] = [];
  readonly upload = new EventTarget();
  form = new FormData();
  status = 0;
  responseText = "";
  headers: Record<string, string> = {};
  open(): void {}
  setRequestHeader(): void {}
  getResponseHeader = (name: string) => this.headers[name] ?? null;
  abort(): void {}
  send(form: FormData): void {
    this.form = form;
    Upload.sent.push(this);
  }
  progress(loaded: number): Promise<void> {
    const event = Object.assign(new Event("progress"), { loaded, total: 100 });
    return act(async () => void this.upload.dispatchEvent(event));
  }
  respond(status: number, text: string, headers = {}): Promise<void> {
    Object.assign(this, { status, responseText: text, headers });
    return act(async () => void this.dispatchEvent(new Event("load")));
  }
  lose(): Promise<void> {
    return act(async () => void this.dispatchEvent(new Event("error")));
  }
}
const lastUpload = () => {
  const upload = Upload.sent.at(-1);
  if (upload === undefined) throw new Error("nothing was sent");
  return upload;
};

/** Elements that load a chosen file. */
let previews: HTMLVideoElement[];
/** Ends the creation of thumbnails, as for a format that the browser doesn't play. */
const failPreviews = () =>
  act(async () => {
    for (const video of previews.splice(0)) video.dispatchEvent(new Event("error"));
  });

beforeEach(() => {
  Upload.sent = [];
  previews = [];
  vi.stubGlobal("XMLHttpRequest", Upload);
  grantLocks();
  const create = document.createElement.bind(document);
  vi.spyOn(document, "createElement").mockImplementation((name: string, options?: object) => {
    const element = create(name, options);
    if (element instanceof HTMLVideoElement) previews.push(element);
    return element;
  });
});

const openVideos = (maxBytes = 500 * megabyte, database?: object) =>
  openAdminPage(
    "/admin/videos",
    {
      "GET /api/videos": { videos: [], total: 0, nextCursor: null },
      "GET /api/categories": [],
      "GET /api/tags": [],
      "GET /api/actors": [],
      "GET /api/admin/bulk": [],
      "OPTIONS /api/uploads": new Response(null, { headers: { "tus-max-size": String(maxBytes) } }),
    },
    { database },
  );

async function open(maxBytes?: number) {
  const opened = await openVideos(maxBytes);
  press("Upload Video");
  return { ...opened, dialog: await screen.findByRole("dialog", { name: "Upload Video" }) };
}
const dialogOf = () => screen.getByRole("dialog", { name: "Upload Video" });
const pick = (...files: File[]) =>
  act(async () => {
    const input = dialogOf().querySelector("input[type=file]");
    if (input !== null) fireEvent.change(input, { target: { files } });
  });

/** Opens the form of these files. */
async function openForm(...files: File[]) {
  const opened = await open();
  await pick(...files);
  await failPreviews();
  press("Continue");
  return opened;
}

describe("step 1", () => {
  it("shows name, size and type of the file, and removes it", async () => {
    const { dialog } = await open();
    within(dialog).getByText("Drop your video file here, or click to browse files");
    within(dialog).getByText("Supported formats: MP4, WebM, MOV, AVI (Max 500MB)");
    within(dialog).getByText("Choose File");
    const next = () => within(dialog).getByRole("button", { name: "Continue" });
    expect(next().matches(":disabled")).toBe(true);
    await pick(clip);
    await failPreviews();
    within(dialog).getByText(clip.name);
    within(dialog).getByText("15 Bytes · video/mp4");
    expect(next().matches(":disabled")).toBe(false);
    press(`Remove file ${clip.name}`, dialog);
    expect(next().matches(":disabled")).toBe(true);
  });

  it("skips dropped and chosen files that aren't videos, with a message", async () => {
    const { dialog } = await open();
    fireEvent.drop(within(dialog).getByText(/^Drop your video/), {
      dataTransfer: { files: [new File(["a"], "notes.txt", { type: "text/plain" })] },
    });
    within(dialog).getByText(`"notes.txt" isn't a video, so it was skipped.`);
    await pick(new File(["<p>"], "page.html", { type: "text/html" }));
    within(dialog).getByText(`"page.html" isn't a video, so it was skipped.`);
    expect(within(dialog).getByRole("button", { name: "Continue" }).matches(":disabled")).toBe(
      true,
    );
  });

  it("shows Generating Thumbnail... meanwhile, and continues without one after a failure", async () => {
    const { dialog } = await open();
    fireEvent.drop(within(dialog).getByText(/^Drop your video/), {
      dataTransfer: { files: [new File(["RIFF"], "odd.avi", { type: "video/avi" })] },
    });
    const busy = within(dialog).getByRole("button", { name: "Generating Thumbnail..." });
    expect(busy.matches(":disabled")).toBe(true);
    await failPreviews();
    within(dialog).getByText(
      "Your browser can't preview this file. The server will create a thumbnail.",
    );
    expect(within(dialog).getByRole("button", { name: "Continue" }).matches(":disabled")).toBe(
      false,
    );
  });

  it("shows which file is too large or empty before sending anything", async () => {
    const { server, dialog } = await open(megabyte);
    await within(dialog).findByText("Supported formats: MP4, WebM, MOV, AVI (Max 1MB)");
    const large = new File([new Uint8Array(2 * megabyte)], "large.mp4", { type: "video/mp4" });
    await pick(large, new File([], "empty.mp4", { type: "video/mp4" }));
    within(dialog).getByText(`"large.mp4" is 2.00 MB. The maximum is 1.00 MB.`);
    within(dialog).getByText(`"empty.mp4" is empty.`);
    expect(within(dialog).getByRole("button", { name: "Continue" }).matches(":disabled")).toBe(
      true,
    );
    expect(server.sent.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it("closes without a question about other forms of the page", async () => {
    const OtherForm = () => (useUnsaved(true), null);
    await open();
    render(<OtherForm />);
    press("Cancel", dialogOf());
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Upload Video" })).toBeNull());
    expect(screen.queryByRole("alertdialog")).toBeNull();
    press("Upload Video");
    await screen.findByRole("dialog", { name: "Upload Video" });
    await pick(clip);
    await failPreviews();
    press("Continue");
    press("Close", dialogOf());
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Upload Video" })).toBeNull());
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
});

/** Expects each file to have its own form, with this description. */
function expectDescriptions(descriptions: Record<string, string>): void {
  for (const [title, description] of Object.entries(descriptions)) {
    press(title, within(dialogOf()).getByRole("list", { name: "Files" }));
    const field = within(dialogOf()).getByLabelText<HTMLTextAreaElement>("Description");
    expect(field.value).toBe(description);
  }
}

describe("after a reload", () => {
  it.each([
    ["the close button", 1, () => press("Close", dialogOf())],
    ["Cancel", 1, () => press("Cancel", dialogOf())],
    ["Cancel", 2, () => press("Cancel", dialogOf())],
  ])("asks before %s in step %i discards the stored uploads", async (_name, step, close) => {
    const database = fakeUploadDatabase([storedUpload()]);
    await openVideos(undefined, database);
    fireEvent.click(await screen.findByRole("button", { name: /evening\.mp4/ }));
    if (step === 2) press("Continue", dialogOf());
    close();
    await choose("Discard your changes?", "Cancel");
    within(dialogOf()).getByText("evening.mp4");
    expect([...database.stores.uploads.keys()]).toEqual(["stored-upload"]);
    close();
    await choose("Discard your changes?", "Discard");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(database.stores.uploads.size).toBe(0);
  });

  it("restores the different details of several files", async () => {
    const { form } = storedUpload();
    const stored = ["Rain", "Snow"].map((description) =>
      storedUpload({ id: description, form: { ...form, title: description, description } }),
    );
    await openVideos(undefined, fakeUploadDatabase(stored));
    fireEvent.click(await screen.findByRole("button", { name: /2 uploads/ }));
    press("Continue", dialogOf());
    expectDescriptions({ Rain: "Rain", Snow: "Snow" });
  });

  it("discards freshly chosen files without asking", async () => {
    await open();
    await pick(clip);
    await failPreviews();
    press("Cancel", dialogOf());
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });
});

/** Replaces the transfers of large files. Returns the options of those that were started. */
function mockTransfers() {
  type Options = Pick<UploadOptions, "onProgress" | "onChunkComplete" | "onShouldRetry">;
  const started: Options[] = [];
  vi.doMock("tus-js-client", () => ({
    Upload: class {
      constructor(_file: File, options: Options) {
        started.push(options);
      }
      start(): void {}
      abort = () => Promise.resolve();
    },
  }));
  onTestFinished(() => vi.doUnmock("tus-js-client"));
  return started;
}

describe("step 2", () => {
  const submit = () => press("Upload Video", dialogOf());

  it("requires a title, and sends only the filled fields", async () => {
    await openForm(clip);
    const dialog = dialogOf();
    within(dialog).getByText("0.00 MB");
    within(dialog).getByRole("button", { name: "Remove file" });
    for (const label of ["Description", "Tags", "Actors"]) within(dialog).getByLabelText(label);
    const send = within(dialog).getByRole("button", { name: "Upload Video" });
    expect(send.matches(":disabled")).toBe(true);
    fill(/^Title/, " A first clip ", dialog);
    fill("Categories", "Night, Rain", dialog);
    fireEvent.click(within(dialog).getByLabelText("Premium Content"));
    submit();
    const entries = [...lastUpload().form].map(([name, value]) => [
      name,
      value instanceof File ? value.name : value,
    ]);
    expect(entries).toEqual([
      ["title", "A first clip"],
      ["categories", "Night, Rain"],
      ["isPremium", "true"],
      ["video", clip.name],
    ]);
  });

  it("says that a video scheduled for a past time is published immediately", async () => {
    await openForm(clip);
    const dialog = dialogOf();
    fill("After uploading", "schedule", dialog);
    within(dialog).getByText(/^In your time zone \(/);
    fill(/^Publish at/, "2020-01-02T03:04", dialog);
    const note = "This time has passed. The video will be published immediately.";
    expect(within(dialog).queryByText(note)).not.toBeNull();
  });

  it("shows the progress while sending, disables Cancel, and closes once the video exists", async () => {
    const { server } = await openForm(clip);
    const dialog = dialogOf();
    fill(/^Title/, "On its way", dialog);
    submit();
    const busy = within(dialog).getByRole("button", { name: "Uploading..." });
    const cancel = within(dialog).getByRole("button", { name: "Cancel" });
    expect([busy, cancel].map((button) => button.matches(":disabled"))).toEqual([true, true]);
    expect(within(dialog).getByRole("status").textContent).toBe("Uploading...");
    await lastUpload().progress(40);
    within(dialog).getByText("40%");
    await lastUpload().progress(100);
    within(dialog).getByText("100%");
    within(dialog).getByText("Processing video and generating thumbnail...");
    const video = adminVideo({ title: "On its way" });
    server.reply("GET /api/videos", { videos: [video], total: 1, nextCursor: null });
    await lastUpload().respond(201, JSON.stringify(video));
    const saved = "Video uploaded successfully. Saved as draft. Publish now?";
    await screen.findByText(saved);
    await screen.findByRole("row", { name: /On its way/ });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    server.reply(`PUT /api/videos/${video.id}`, video);
    press("Publish");
    const sent = () => server.sentTo(`PUT /api/videos/${video.id}`).map(({ body }) => body);
    await waitFor(() => expect(sent()).toEqual([{ isPublished: true }]));
    expect(screen.queryByText(saved)).toBeNull();
  });

  it("announces in the dock that files are sent, but not each percentage", async () => {
    await openForm(clip, new File(["b"], "second.mp4", { type: "video/mp4" }));
    press("Upload all", dialogOf());
    press("Continue in background", dialogOf());
    await Upload.sent[0]?.progress(40);
    const dock = screen.getByRole("button", { name: /2 uploads/ });
    expect(dock.textContent).toMatch(/Uploading\.\.\. \d+%/);
    expect(within(dock).getByRole("status").textContent).toBe("Uploading...");
  });

  it("says that a file of a batch is processed, and offers to publish the whole batch", async () => {
    const { server } = await openForm(clip, new File(["b"], "second.mp4", { type: "video/mp4" }));
    press("Upload all", dialogOf());
    await Upload.sent[0]?.progress(40);
    within(dialogOf()).getByText(/Uploading... 40%/);
    await Upload.sent[0]?.progress(100);
    within(dialogOf()).getByText(/Processing\.\.\.$/);
    const videos = ["one", "two"].map((title, at) =>
      adminVideo({ id: `22222222-2222-4222-8222-22222222222${at}`, title }),
    );
    for (const [at, video] of videos.entries()) {
      await Upload.sent[at]?.respond(201, JSON.stringify(video));
      server.reply(`PUT /api/videos/${video.id}`, video);
    }
    await screen.findByText("2 videos uploaded successfully. Saved as drafts. Publish now?");
    press("Publish");
    await waitFor(() =>
      expect(videos.map(({ id }) => server.sentTo(`PUT /api/videos/${id}`).length)).toEqual([1, 1]),
    );
  });

  it("shows why an upload failed, keeps the form open, and sends it again", async () => {
    await openForm(clip);
    const dialog = dialogOf();
    fill(/^Title/, "Tried often", dialog);
    for (const [fail, text] of [
      [() => lastUpload().respond(422, '{"message":"The video is odd."}'), "The video is odd."],
      [() => lastUpload().respond(502, "<html>"), "Unknown error"],
      [() => lastUpload().lose(), "Network error"],
    ] as const) {
      submit();
      await fail();
      within(dialog).getByText(`Upload failed: ${text}`);
    }
    expect(within(dialog).getByLabelText<HTMLInputElement>(/^Title/).value).toBe("Tried often");
    submit();
    expect(Upload.sent).toHaveLength(4);
  });

  it("saves what was changed after a lost response, before it publishes the video", async () => {
    const { server } = await openForm(clip);
    const dialog = dialogOf();
    fill(/^Title/, "Frist clip", dialog);
    submit();
    await lastUpload().lose();
    fill(/^Title/, "First clip", dialog);
    fill("Tags", "night, rain", dialog);
    fireEvent.click(within(dialog).getByLabelText("Premium Content"));
    fireEvent.change(within(dialog).getByLabelText("After uploading"), {
      target: { value: "publish" },
    });
    const video = adminVideo({ title: "Frist clip" });
    const update = `PUT /api/videos/${video.id}`;
    server.reply(update, video);
    submit();
    await lastUpload().respond(201, JSON.stringify(video), { "idempotent-replayed": "true" });
    await waitFor(() => expect(server.sentTo(update)).toHaveLength(2));
    expect(server.sentTo(update).map(({ body }) => body)).toEqual([
      {
        title: "First clip",
        description: "",
        categories: [],
        tags: ["night", "rain"],
        actors: [],
        isPremium: true,
        version: video.version,
      },
      { isPublished: true },
    ]);
  });

  it("completes after a lost response if the video was changed meanwhile", async () => {
    const { server } = await openForm(clip);
    const video = adminVideo({ title: "Frist clip" });
    server.reply(`PUT /api/videos/${video.id}`, failure(409, "Changed", "edit_conflict"));
    fill(/^Title/, "Frist clip", dialogOf());
    submit();
    await lastUpload().respond(201, JSON.stringify(video), { "idempotent-replayed": "true" });
    await screen.findByText(/^Video uploaded successfully/);
  });

  it.each([
    [507, "Storage is full. Free up some space and try again."],
    [429, "20 uploads are open already. Finish or cancel one first."],
  ])(
    "shows why the server refuses a part with %i, until it has stored one",
    async (status, message) => {
      const started = mockTransfers();
      const bytes = new Uint8Array(9 * megabyte);
      await openForm(new File([bytes], "long.mp4", { type: "video/mp4" }));
      await waitFor(() => expect(started).toHaveLength(1));
      const send = (percent: number) =>
        act(async () => started[0]?.onProgress?.((bytes.length * percent) / 100, bytes.length));
      const wait = (body: string | null) =>
        act(async () => {
          const originalResponse =
            body === null ? null : { getStatus: () => status, getBody: () => body };
          const failed = Object.assign(new Error("failed"), { originalResponse }) as DetailedError;
          started[0]?.onShouldRetry?.(failed, 0, {});
        });
      const lost = /Connection lost\. The upload resumes/;
      const refuse = () => wait(JSON.stringify({ message }));
      const full = `Upload paused, retrying: ${message}`;
      const dialog = dialogOf();

      await send(20);
      await refuse();
      within(dialog).getByText(full);
      expect(within(dialog).queryByText(lost)).toBeNull();
      fill(/^Title/, "Waits for space", dialog);
      submit();
      await send(30);
      await refuse();
      within(dialog).getByText(full);
      within(dialog).getByText("20%");
      expect(within(dialog).queryByText(lost)).toBeNull();
      await wait(null);
      within(dialog).getByText(lost);
      expect(within(dialog).queryByText(full)).toBeNull();
      await refuse();
      started[0]?.onChunkComplete?.(megabyte, megabyte, bytes.length);
      await send(40);
      within(dialog).getByText("40%");
      expect(within(dialog).queryByText(full)).toBeNull();
    },
  );

  it.each([
    ["small", 1],
    ["large", 9 * megabyte],
  ])("asks for a %s file again that was changed after it was chosen", async (_name, size) => {
    const started = mockTransfers();
    const fileOf = (bytes: number) =>
      new File([new Uint8Array(bytes)], "export.mp4", { type: "video/mp4" });
    const file = fileOf(size);
    await openForm(file);
    const dialog = dialogOf();
    fill(/^Title/, "Still exporting", dialog);
    vi.spyOn(file, "slice").mockImplementation(() => {
      const arrayBuffer = () => Promise.reject(new DOMException("Changed", "NotReadableError"));
      return Object.assign(new Blob(), { arrayBuffer });
    });
    submit();
    if (size === 1) await lastUpload().lose();
    else {
      await waitFor(() => expect(started).toHaveLength(1));
      const failed = Object.assign(new Error("failed"), { originalResponse: null });
      await act(async () => void started[0]?.onShouldRetry?.(failed as DetailedError, 0, {}));
    }
    await within(dialog).findByText(
      "Upload failed: The file was changed or moved. Choose it again.",
    );
    expect(within(dialog).queryByText(/Connection lost/)).toBeNull();
    const again = () => within(dialog).getByLabelText("Choose File");
    const complete = fileOf(size + 1);
    await act(async () => void fireEvent.change(again(), { target: { files: [complete] } }));
    await failPreviews();
    expect(within(dialog).queryByText(/changed or moved/)).toBeNull();
    submit();
    if (size === 1) expect(lastUpload().form.get("video")).toMatchObject({ size: size + 1 });
    else await waitFor(() => expect(started).toHaveLength(2));
  });

  it("remains a batch while its files finish one after another", async () => {
    await openForm(clip, new File(["b"], "second.mp4", { type: "video/mp4" }));
    press("Upload all", dialogOf());
    await Upload.sent[0]?.respond(201, JSON.stringify(adminVideo({ title: "my first clip" })));
    await screen.findByText(/^Video uploaded successfully/);
    await Upload.sent[1]?.respond(422, '{"message":"The video is odd."}');
    within(dialogOf()).getByText("Upload failed: The video is odd.");
    within(dialogOf()).getByRole("list", { name: "Titles" });
    press("Upload all", dialogOf());
    expect(Upload.sent).toHaveLength(3);
  });

  it("keeps the details of each file when the form is reopened", async () => {
    const files = ["one", "two", "three"].map(
      (name) => new File([name], `${name}.mp4`, { type: "video/mp4" }),
    );
    await openForm(...files);
    const dialog = dialogOf();
    fireEvent.click(within(dialog).getByLabelText("Edit details for each file"));
    for (const name of ["two", "three", "one"]) {
      press(name, within(dialog).getByRole("list", { name: "Files" }));
      fill("Description", `About ${name}`, dialog);
    }
    submit();
    press("Continue in background", dialog);
    press(/3 uploads/);
    expectDescriptions({ one: "About one", two: "About two", three: "About three" });
  });

  it("shows a form for each of several files, and the problem of each", async () => {
    await openForm(clip, new File(["asf"], "broken.wmv", { type: "video/x-ms-wmv" }));
    const dialog = dialogOf();
    fireEvent.click(within(dialog).getByLabelText("Edit details for each file"));
    const files = within(dialog).getByRole("list", { name: "Files" });
    press(/broken/, files);
    fill(/^Title/, "Not a video", dialog);
    press(/my first clip/, files);
    fill(/^Title/, "A video", dialog);
    submit();
    expect(lastUpload().form.get("title")).toBe("A video");
    await lastUpload().respond(201, JSON.stringify(adminVideo({ title: "A video" })));
    await screen.findByText(/^Video uploaded successfully/);
    const title = () => within(dialogOf()).getByLabelText<HTMLInputElement>(/^Title/).value;
    expect(title()).toBe("Not a video");
    submit();
    await lastUpload().respond(422, '{"message":"This file is a Windows Media file (WMV)."}');
    within(dialogOf()).getByText("Upload failed: This file is a Windows Media file (WMV).");
  });
});
