-- Prices of the electricity market, and the accounts by which they are fetched: national data, no tenant; reference
-- tables. An hour has a row for each maturity of its price.
create table market_price (
  -- The start of the hour.
  ts timestamptz not null check (date_trunc('hour', ts, 'UTC') = ts),
  -- ptf: day-ahead; smf: system marginal.
  market text not null check (market in ('ptf', 'smf')),
  price_status text not null check (price_status in ('tentative', 'final', 'corrected', 'unknown')),
  -- As published; zero is a price.
  price_try_per_mwh numeric(18, 6) not null,
  fetched_at timestamptz not null,
  primary key (ts, market, price_status)
);
create index market_price_series_idx on market_price (market, price_status, ts);

-- What a row said before it was told anew (a second correction, a tentative price that moved), so that no published
-- value is ever lost.
create table market_price_change (
  id bigint generated always as identity primary key,
  ts timestamptz not null,
  market text not null,
  price_status text not null,
  price_before numeric(18, 6) not null,
  price_after numeric(18, 6) not null,
  -- When the value before had come, and when the other one came.
  fetched_before timestamptz not null,
  changed_at timestamptz not null,
  constraint market_price_change_price_fkey foreign key (ts, market, price_status)
    references market_price (ts, market, price_status)
);
create index market_price_change_price_idx on market_price_change (ts, market, price_status);

-- Never deleted is a matter of privilege, as in 0006: the role that serves gives its own rights away.
revoke delete, truncate on market_price from current_user;
revoke update, delete, truncate on market_price_change from current_user;

create table market_account (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  portal_username text,
  -- Sealed (platform/sealer.ts), never in clear; null where there is none.
  portal_password_sealed text,
  subscription_key_sealed text,
  whitelist_status text not null default 'not_started' check (whitelist_status in (
    'not_started', 'spec_downloaded', 'spec_sent', 'ip_whitelisted', 'portal_account_created',
    'application_created', 'subscribed', 'active', 'blocked')),
  -- The last test-call of the credentials as they are; null again when they change.
  last_test_at timestamptz,
  last_test_ok boolean,
  last_test_step text,
  last_test_message text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint market_account_test check ((last_test_at is null) = (last_test_ok is null))
);
create index market_account_status_idx on market_account (whitelist_status, created_at);
