import { sql, type Kysely } from "kysely";

/** Addresses that are told what happens, and each message to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      id uuid primary key,
      url text not null,
      events text[] not null,
      secret text not null,
      is_enabled boolean not null default true,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table webhook_deliveries (
      id uuid primary key default gen_random_uuid(),
      webhook_id uuid not null references webhooks (id) on delete cascade,
      event text not null,
      data jsonb not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
      attempts integer not null default 0,
      next_at timestamptz not null default now(),
      status integer,
      problem text,
      created_at timestamptz not null default now(),
      delivered_at timestamptz
    )`.execute(db);
  await sql`
    create index webhook_deliveries_due_idx on webhook_deliveries (next_at)
    where state = 'waiting'`.execute(db);
  await sql`
    create index webhook_deliveries_log_idx
    on webhook_deliveries (webhook_id, created_at desc)`.execute(db);
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
  // A generated column fires no "update of": is_listed follows these two.
  await sql`
    create trigger note_changed_video after update of status, is_published on videos
    for each row when ((old.status, old.is_published) is distinct from (new.status, new.is_published))
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
