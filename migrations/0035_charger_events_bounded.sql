-- What a station tells is bounded: a broken or hostile one fills the database no more than an honest one.

alter table charger_event
  -- By our clock: occurred_at is the station's word, and one from the far future would never be old.
  add column heard_at timestamptz,
  -- Bytes of the details.
  add column size_bytes integer;
update charger_event set heard_at = least(occurred_at, now()), size_bytes = octet_length(details::text);
alter table charger_event
  alter column heard_at set not null,
  alter column size_bytes set not null;
create index charger_event_kept_idx on charger_event (tenant_id, charger_id, seq desc);

-- How many events of a type a charger has told on a day (UTC, by our clock); only the last day on which it told one.
create table charger_event_day (
  tenant_id integer not null,
  charger_id uuid not null,
  event_type text not null,
  day date not null,
  kept integer not null,
  kept_bytes bigint not null,
  -- Counted and not kept, since they were too many.
  left_out integer not null default 0,
  primary key (tenant_id, charger_id, event_type),
  constraint charger_event_day_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id)
);
