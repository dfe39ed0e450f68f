import { sql } from "kysely";
import { expect, it } from "vitest";
import { limits } from "#contract/limits.ts";
import { createClient, useTestApp, useClient } from "#test/app.ts";
import { makeTag } from "#test/factories/make-label.ts";
import { makeDraft, makeVideo, changeVideo } from "#test/factories/make-video.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";

const app = useTestApp({ work: true });
const admin = useClient(app);

/** Waits for a bulk action to end. */
async function finish(id: string) {
  for (;;) {
    const { json } = await admin.call("GET", `/api/admin/bulk/${id}`);
    if (json.state !== "waiting" && json.state !== "running") return json;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns the number of bulk actions that a worker is still running. */
async function countRunning(): Promise<number> {
  const { rows } = await sql`
    select from pgboss.job where name = 'bulk.run' and state < 'completed'`.execute(app.db);
  return rows.length;
}

it("publishes the selected drafts with an audit entry for each", async () => {
  const { db } = app;
  const drafts = [await makeDraft(db), await makeDraft(db)];
  const already = await makeVideo(db);
  const ids = [...drafts.map((row) => row.id), already.id];
  const started = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "publish" },
    target: { ids },
  });
  expect(started.status).toBe(202);
  expect(await finish(started.json.id)).toMatchObject({
    state: "done",
    total: 3,
    done: 3,
    changed: 2,
  });
  const rows = await db.selectFrom("videos").selectAll().where("id", "in", ids).execute();
  expect(rows.every((row) => row.is_published && row.published_at !== null)).toBe(true);
  const audit = await db
    .selectFrom("audit_log")
    .selectAll()
    .where("entity", "=", "video")
    .where("entity_id", "in", ids)
    .execute();
  expect(audit.map((entry) => entry.entity_id).toSorted()).toEqual(
    drafts.map((row) => row.id).toSorted(),
  );
});

it("adds labels to all matching videos and removes them again", async () => {
  for (let n = 0; n < 120; n += 1) await makeVideo(app.db, { title: `Matching ${n}` });
  const target = { filter: { search: "Matching", state: "published" } };
  const add = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "add_labels", label: "tags", names: ["Brand new", "brand NEW", "Other"] },
    target,
  });
  expect(await finish(add.json.id)).toMatchObject({ state: "done", total: 120, changed: 120 });
  const tagged = await admin.call("GET", "/api/admin/videos?tag=brand-new&limit=1");
  expect(tagged.json.total).toBe(120);
  expect(
    tagged.json.videos[0].tags.map((item: { tag: { name: string } }) => item.tag.name),
  ).toEqual(["Brand new", "Other"]);
  const remove = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "remove_labels", label: "tags", names: ["Brand new"] },
    target,
  });
  expect(await finish(remove.json.id)).toMatchObject({ changed: 120 });
  expect((await admin.call("GET", "/api/admin/videos?tag=brand-new")).json.total).toBe(0);
  // The old name of a renamed label isn't this label.
  await admin.call("PUT", "/api/tags/other", { name: "Renamed" });
  const removeOld = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "remove_labels", label: "tags", names: ["Other"] },
    target,
  });
  expect(await finish(removeOld.json.id)).toMatchObject({ state: "done", changed: 0 });
});

it("leaves a video unchanged that would have more labels than allowed", async () => {
  const { db } = app;
  const tags = [];
  for (let n = 1; n < limits.labelsPerVideoMax; n += 1) tags.push(await makeTag(db));
  const almostFull = await makeVideo(db, {}, { tagIds: tags.map(({ id }) => id) });
  const empty = await makeVideo(db);
  const add = async (...names: string[]) => {
    const started = await admin.call("POST", "/api/admin/bulk", {
      action: { kind: "add_labels", label: "tags", names },
      target: { ids: [almostFull.id, empty.id] },
    });
    return (await finish(started.json.id)).changed;
  };
  const known = tags[0]?.name ?? "";
  // The first one has 49 tags, of which one is added again.
  expect(await add(known, "Fiftieth", "One too many")).toBe(1);
  expect(await add(known, "Fiftieth")).toBe(1);
  expect(await add("One too many")).toBe(0);
  const { json } = await admin.call("GET", `/api/videos/${almostFull.id}`);
  const names = json.tags.map(({ tag }: { tag: { name: string } }) => tag.name);
  expect(names).toEqual([...tags.map(({ name }) => name), "Fiftieth"]);
});

it("refuses to add a name with a comma", async () => {
  const refused = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "add_labels", label: "tags", names: ["a,b"] },
    target: { filter: {} },
  });
  const issues = [{ path: "action.names.0", message: "Names can't contain commas" }];
  expect(refused).toMatchObject({ status: 400, json: { issues } });
});

it("finds the same videos for a search as the list does", async () => {
  await makeDraft(app.db, { title: "Lighthouse at dusk" });
  await makeDraft(app.db, { title: "Lighthouse at dawn" });
  const shown = await admin.call("GET", "/api/videos?search=lighthouse");
  const started = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "set_premium", isPremium: true },
    target: { filter: { search: "lighthouse" } },
  });
  const job = await finish(started.json.id);
  expect(job).toMatchObject({ state: "done", total: shown.json.total, changed: 2 });
});

it("sets who may embed videos", async () => {
  const { id } = await makeDraft(app.db);
  const set = async (embedding: string) => {
    const started = await admin.call("POST", "/api/admin/bulk", {
      action: { kind: "set_embedding", embedding },
      target: { ids: [id] },
    });
    return (await finish(started.json.id)).changed;
  };
  expect([await set("nobody"), await set("nobody")]).toEqual([1, 0]);
  const read = async () => (await admin.call("GET", `/api/videos/${id}`)).json.embedding;
  expect(await read()).toBe("nobody");
  expect(await set("site")).toBe(1);
  expect(await read()).toBeUndefined();
});

it("repeats a part after a deadlock", async () => {
  const { db } = app;
  const draft = await makeDraft(db);
  await sql`create sequence deadlocks`.execute(db);
  // A sequence advances even if its transaction is rolled back.
  await sql`
    create function end_first_two() returns trigger language plpgsql as $$
    begin
      if nextval('deadlocks') <= 2 then raise 'deadlock detected' using errcode = '40P01'; end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger end_first_two before update on videos
    for each row execute function end_first_two()`.execute(db);
  try {
    const { json } = await admin.call("POST", "/api/admin/bulk", {
      action: { kind: "publish" },
      target: { ids: [draft.id] },
    });
    expect(await finish(json.id)).toMatchObject({ state: "done", done: 1, changed: 1 });
  } finally {
    await sql`drop trigger end_first_two on videos`.execute(db);
    await sql`drop function end_first_two`.execute(db);
    await sql`drop sequence deadlocks`.execute(db);
  }
});

it("stops when cancelled and keeps the work done so far", async () => {
  const { db } = app;
  for (let n = 0; n < 220; n += 1) await makeDraft(db, { title: `Cancelled ${n}` });
  const { started, cancelling } = await db.transaction().execute(async (trx) => {
    // The first part waits for these rows, and the cancellation waits for the first part.
    const drafts = trx.selectFrom("videos").select("id").where("title", "like", "Cancelled %");
    await drafts.forUpdate().execute();
    const action = await admin.call("POST", "/api/admin/bulk", {
      action: { kind: "publish" },
      target: { filter: { search: "Cancelled", state: "draft" } },
    });
    await expect.poll(() => countLockWaits(db)).toBeGreaterThanOrEqual(1);
    const call = admin.call("POST", `/api/admin/bulk/${action.json.id}/cancel`);
    await expect.poll(() => countLockWaits(db)).toBeGreaterThanOrEqual(2);
    return { started: action, cancelling: call };
  });
  expect((await cancelling).json.state).toBe("cancelled");
  await expect.poll(countRunning).toBe(0);
  const after = (await admin.call("GET", `/api/admin/bulk/${started.json.id}`)).json;
  const { published } = await db
    .selectFrom("videos")
    .select(({ fn }) => fn.countAll<number>().as("published"))
    .where("title", "like", "Cancelled %")
    .where("is_published", "=", true)
    .executeTakeFirstOrThrow();
  expect(after).toMatchObject({ state: "cancelled", total: 220, changed: published });
  expect(published).toBeGreaterThan(0);
  expect(published).toBeLessThan(220);
});

it("continues an action that has no job, as after a restore", async () => {
  const [first, second] = [await makeDraft(app.db), await makeDraft(app.db)];
  const { json } = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "publish" },
    target: { ids: [first.id] },
  });
  await finish(json.id);
  await expect.poll(countRunning).toBe(0);
  const part = { job_id: json.id, position: 0, video_ids: [second.id] };
  await app.db.insertInto("bulk_job_parts").values(part).execute();
  const values = { state: "running", total: 2 } as const;
  await app.db.updateTable("bulk_jobs").set(values).where("id", "=", json.id).execute();
  await app.runJob("jobs.requeue");
  expect(await finish(json.id)).toMatchObject({ state: "done", done: 2, changed: 2 });
});

it.each(["disabled", "removed"] as const)("stops after its user was %s", async (change) => {
  const owner = createClient(app.url, await app.signIn("OWNER"));
  const author = createClient(app.url, await app.signIn("EDITOR"));
  const { user } = (await author.call("GET", "/api/auth/session")).json;
  for (let n = 0; n < 150; n += 1) await makeDraft(app.db, { title: `${change} ${n}` });
  const { started, changing } = await app.db.transaction().execute(async (trx) => {
    // The first part waits for these rows.
    const drafts = trx.selectFrom("videos").select("id").where("title", "like", `${change} %`);
    await drafts.forUpdate().execute();
    const action = await author.call("POST", "/api/admin/bulk", {
      action: { kind: "publish" },
      target: { filter: { search: change, state: "draft" } },
    });
    await expect.poll(() => countLockWaits(app.db)).toBeGreaterThanOrEqual(1);
    const path = `/api/admin/people/${user.id}`;
    const call =
      change === "disabled"
        ? owner.call("PUT", path, { isDisabled: true })
        : owner.call("DELETE", path);
    return { started: action, changing: await call };
  });
  expect(changing.status).toBeLessThan(300);
  expect(await finish(started.json.id)).toMatchObject({
    state: "failed",
    done: 100,
    failureReason: `Stopped because ${user.email} no longer has permission for this. Changes made before that are saved.`,
  });
});

it("reprocesses eligible videos after reporting the cost", async () => {
  const { db } = app;
  const { storage } = app.context;
  const play = async () => {
    const row = await makeVideo(db, { progress: 1, duration_s: 600, width: 1920, height: 1080 });
    await changeVideo(db, row.id, { source_key: `sources/${row.id}`, stored_bytes: 1000 });
    await storage.putBytes(`sources/${row.id}`, "no video");
    return row.id;
  };
  const ready = [await play(), await play()];
  const processing = await makeDraft(db, { progress: 0.5 });
  const target = { ids: [...ready, processing.id] };
  const plan = async () =>
    (await admin.call("POST", "/api/admin/bulk/reprocess/plan", { target })).json;
  const before = await plan();
  expect(before).toMatchObject({ videos: 3, ready: 2, underWay: 0, extraBytes: 2000 });
  // The sample is twenty minutes of 1080p.
  expect(before.processorS).toBeGreaterThan(600);
  expect(before.processorS).toBeLessThan(6000);

  const started = await admin.call("POST", "/api/admin/bulk", {
    action: { kind: "reprocess" },
    target,
  });
  expect(await finish(started.json.id)).toMatchObject({ state: "done", done: 3, changed: 2 });
  const rows = await db
    .selectFrom("video_replacements")
    .select(["video_id", "is_renewal"])
    .where("video_id", "in", target.ids)
    .execute();
  expect(rows.map((row) => row.video_id).toSorted()).toEqual(ready.toSorted());
  expect(rows.every((row) => row.is_renewal)).toBe(true);
});
