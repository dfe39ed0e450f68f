import { sql, type Kysely } from "kysely";

/**
 * Audit log, work on many videos at once, messages to other programs, and answers of calls that may
 * be repeated.
 */
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
    );
    create index audit_log_at_idx on audit_log (at desc, id desc);
    create index audit_log_entity_idx on audit_log (entity, at desc, id desc);
    create index audit_log_object_idx on audit_log (entity_id, at desc, id desc)
      where entity_id is not null;
    create index audit_log_request_idx on audit_log (request_id);
    create index audit_log_user_idx on audit_log (user_email, at desc, id desc);

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
    );
    create index bulk_jobs_created_idx on bulk_jobs (created_at desc, id desc);

    create table bulk_job_parts (
      job_id uuid not null references bulk_jobs (id) on delete cascade,
      position int not null,
      video_ids uuid[] not null,
      primary key (job_id, position)
    );

    create table idempotent_requests (
      id bytea primary key,
      status int,
      body text,
      claimed_at timestamptz not null default now(),
      created_at timestamptz not null default now()
    );
    create index idempotent_requests_created_idx on idempotent_requests (created_at)`.execute(db);
  await sql`
    create table webhooks (
      id uuid primary key,
      url text not null,
      events text[] not null,
      secret text not null,
      is_enabled boolean not null default true,
      created_at timestamptz not null default now()
    );

    create table webhook_deliveries (
      id uuid primary key default gen_random_uuid(),
      webhook_id uuid not null references webhooks (id) on delete cascade,
      event text not null,
      data jsonb not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
      attempts int not null default 0,
      next_at timestamptz not null default now(),
      status int,
      problem text,
      created_at timestamptz not null default now(),
      delivered_at timestamptz
    );
    create index webhook_deliveries_due_idx on webhook_deliveries (next_at) where state = 'waiting';
    create index webhook_deliveries_log_idx on webhook_deliveries (webhook_id, created_at desc)`.execute(
    db,
  );
  await sql`
    create function note_webhook_event(happened text, about jsonb) returns void language sql as $$
      insert into webhook_deliveries (webhook_id, event, data)
      select id, happened, about from webhooks where is_enabled and happened = any(events)
    $$`.execute(db);

  // Triggers, so that no way to change a video is forgotten.
  await sql`
    create function note_video_events() returns trigger language plpgsql as $$
    declare
      v videos := coalesce(new, old);
      about jsonb := jsonb_build_object('video',
        jsonb_build_object('id', v.id, 'slug', v.slug, 'title', v.title));
    begin
      if tg_op = 'DELETE' then
        perform note_webhook_event('video.removed', about);
        return null;
      end if;
      if new.status is distinct from old.status and new.status = 'ready' then
        perform note_webhook_event('video.ready', about);
      end if;
      if new.status is distinct from old.status and new.status = 'failed' then
        perform note_webhook_event('video.failed',
          about || jsonb_build_object('reason', new.failure_reason));
      end if;
      if new.is_listed and not old.is_listed then
        perform note_webhook_event('video.published', about);
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger note_changed_video
    after update of status, is_published, visibility, held_visibility on videos
    for each row when ((old.status, old.is_published, old.visibility, old.held_visibility)
      is distinct from (new.status, new.is_published, new.visibility, new.held_visibility))
    execute function note_video_events()`.execute(db);
  await sql`
    create trigger note_removed_video after delete on videos
    for each row execute function note_video_events()`.execute(db);
  await sql`
    create function note_report_event() returns trigger language plpgsql as $$
    begin
      perform note_webhook_event('report.opened', jsonb_build_object(
        'report', jsonb_build_object('id', new.id, 'kind', new.kind, 'reason', new.reason),
        'video', jsonb_build_object('id', new.video_id, 'slug', new.video_slug,
          'title', new.video_title)));
      return null;
    end $$`.execute(db);
  await sql`
    create trigger note_new_report after insert on reports
    for each row execute function note_report_event()`.execute(db);
}
