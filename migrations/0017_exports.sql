-- Exports that are made in the background. The file lies in DATA_DIR/exports of the process that made it; the row says what
-- was asked for, how far it is, and where the file lies.
create table data_export (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  format text not null check (format in ('csv', 'xlsx', 'pdf')),
  -- What was asked for, as it is made: devices, range, interval, metrics, locale.
  request jsonb not null,
  file_name text not null,
  -- Unknown until they are counted.
  rows_total bigint,
  rows_done bigint not null default 0,
  size_bytes bigint,
  -- Why it failed, for people.
  error text,
  -- The machine and folder whose processes make it and hold its file.
  place text not null,
  attempts integer not null default 0,
  -- Whoever asked; an account that is gone leaves its exports behind.
  requested_by uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  -- When the process that makes it last said so.
  beat_at timestamptz,
  primary key (tenant_id, id)
);
create index data_export_created_idx on data_export (tenant_id, created_at desc, id);
create index data_export_open_idx on data_export (place, created_at) where status in ('queued', 'running');
