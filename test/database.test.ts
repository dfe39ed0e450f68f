import { expect, test } from "vitest";
import { createTestDatabase, useTestDatabase } from "./database.ts";
import { makeAd } from "./factories/make-ad.ts";
import { makeActor, makeCategory, makeTag } from "./factories/make-label.ts";
import { makeUser } from "./factories/make-user.ts";
import { makeDraft, makeVideo } from "./factories/make-video.ts";

const database = useTestDatabase();

test("makes rows that the schema accepts", async () => {
  const { db } = database;
  const category = await makeCategory(db, { name: "Slow Cinema" });
  const [tag, actor, user] = [await makeTag(db), await makeActor(db), await makeUser(db)];
  await makeVideo(
    db,
    { uploaded_by: user.id },
    { categoryIds: [category.id], tagIds: [tag.id], actorIds: [actor.id] },
  );
  await makeDraft(db);
  await makeAd(db);

  expect(category.slug).toBe("slow-cinema");
  const rows = await db.selectFrom("videos").selectAll().orderBy("id").execute();
  expect(rows.map((row) => row.is_published)).toEqual([true, false]);
});

test("isolates two databases of one file", async () => {
  const other = await createTestDatabase();
  await makeVideo(database.db);
  expect(await other.db.selectFrom("videos").selectAll().execute()).toEqual([]);
  await other.drop();
});
