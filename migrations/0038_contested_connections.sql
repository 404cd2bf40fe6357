-- Two stations with one identity take the connection from each other for ever: how often it was taken over lately.
alter table charger
  add column takeovers integer not null default 0,
  -- Since when these are counted.
  add column takeovers_since timestamptz,
  -- Where the connections came from that lost their place, or took it.
  add column takeover_addresses text[] not null default '{}',
  -- The last time that there were too many.
  add column contested_at timestamptz;
