import { sql, type Kysely } from "kysely";

/** Scheduled publishing, bulk actions, and what the back office looks things up by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos
      add column publish_at timestamptz,
      add column publish_planned_by uuid references users (id) on delete set null,
      add constraint published_is_not_planned check (publish_at is null or not is_published)`.execute(
    db,
  );
  await sql`create index videos_publish_at_idx on videos (publish_at) where publish_at is not null`.execute(
    db,
  );
  // The processing queue: read once a second while somebody looks.
  await sql`
    create index videos_in_work_idx on videos (created_at, id)
      where status = 'processing' or (status = 'ready' and progress < 1)`.execute(db);

  await sql`
    create table bulk_jobs (
      id uuid primary key,
      action jsonb not null,
      target jsonb not null,
      state text not null default 'waiting'
        check (state in ('waiting', 'running', 'done', 'cancelled', 'failed')),
      total bigint not null default 0 check (total >= 0),
      done bigint not null default 0 check (done >= 0),
      changed bigint not null default 0 check (changed >= 0),
      failure_reason text,
      created_by uuid,
      created_by_email text not null,
      request_id text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint failed_has_reason check ((state = 'failed') = (failure_reason is not null))
    )`.execute(db);
  await sql`create index bulk_jobs_created_idx on bulk_jobs (created_at desc, id desc)`.execute(db);
  // What a job still has to do. Taken row by row in the transaction that does it, so that a job
  // that was interrupted goes on where it was.
  await sql`
    create table bulk_job_videos (
      job_id uuid not null references bulk_jobs (id) on delete cascade,
      video_id uuid not null,
      primary key (job_id, video_id)
    )`.execute(db);
}
