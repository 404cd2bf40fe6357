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
