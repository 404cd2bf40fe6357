-- What the timetable has done: a row for each job and slot, the last ones of each job. A table of the service, not of a
-- tenant. The last slot that was done tells a job from where it has to go on.
create table job_run (
  name text not null,
  slot timestamptz not null,
  finished_at timestamptz not null,
  -- partial: parts of the work failed (a group, a facility) and were left to the next jobs.
  outcome text not null check (outcome in ('done', 'partial', 'failed')),
  attempts integer not null default 1,
  primary key (name, slot)
);
create index job_run_done_idx on job_run (name, slot desc) where outcome <> 'failed';

-- Stretches of a device's hours that samples have changed so late that no build of the timetable comes by any more: a
-- row for each, taken away by the nightly build that has done it.
create table late_stretch (
  tenant_id integer not null,
  id bigint generated always as identity,
  device_key integer not null,
  from_hour timestamptz not null,
  to_hour timestamptz not null,
  primary key (tenant_id, id)
);
create index late_stretch_device_idx on late_stretch (tenant_id, device_key);
