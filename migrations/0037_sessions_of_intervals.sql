-- Some stations tell no register of a session, only what went through in each interval.
alter table charging_session
  -- The sum of the intervals, Wh, and until when they go; null where a register is told, or nothing.
  add column interval_wh bigint,
  add column interval_last_at timestamptz;
