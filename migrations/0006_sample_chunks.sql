-- Compressed history (ADR 0107): the samples of one device and local day. Its rows in measurement are deleted later, and
-- return when a late sample arrives; a row takes precedence over the sample of the same instant in a chunk.
create table measurement_chunk (
  tenant_id integer not null,
  device_key integer not null,
  day date not null,
  samples integer not null check (samples > 0),
  -- A bit for each column that occurs, by its number in the codec (src/core/sample-chunks/columns.ts).
  metrics integer not null,
  content bytea not null,
  -- Whether all its samples are rows as well: after the publication, and after a late sample.
  has_rows boolean not null default true,
  published_at timestamptz not null,
  primary key (tenant_id, device_key, day)
);
-- The content is compressed already.
alter table measurement_chunk alter column content set storage external;
