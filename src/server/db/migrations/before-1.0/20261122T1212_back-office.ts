import { sql, type Kysely } from "kysely";

/** The audit log, and bulk actions with the videos that they still have to change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id uuid primary key,
      at timestamptz not null default now(),
      user_id uuid,
      user_email text not null,
      action text not null,
      entity text not null,
      entity_id text,
      before jsonb,
      after jsonb,
      request_id text
    )`.execute(db);
  await sql`create index audit_log_at_idx on audit_log (at desc, id desc)`.execute(db);
  await sql`create index audit_log_entity_idx on audit_log (entity, at desc, id desc)`.execute(db);
  await sql`create index audit_log_user_idx on audit_log (user_email, at desc, id desc)`.execute(
    db,
  );

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
  // A row for each part that is done in one transaction, which also deletes the row: an interrupted
  // action continues where it stopped, and one over 100,000 videos is stored in a fraction of a second.
  await sql`
    create table bulk_job_parts (
      job_id uuid not null references bulk_jobs (id) on delete cascade,
      position int not null,
      video_ids uuid[] not null,
      primary key (job_id, position)
    )`.execute(db);
}
