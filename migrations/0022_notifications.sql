-- Telling people and their systems of incidents. The trail of incidents is the outbox itself: whoever writes an event,
-- writes it untold, in the transaction that changes the incident. What happened before this migration stays untold.
alter table alarm_event add column is_told boolean not null default true;
alter table alarm_event alter column is_told set default false;
create index alarm_event_untold_idx on alarm_event (tenant_id, seq) where not is_told;
-- The trail itself stays append-only; that it was told is all that may be noted on it.
grant update (is_told) on alarm_event to current_user;

create index alarm_incident_open_idx on alarm_incident (tenant_id, severity, status) where status <> 'closed';
create index alarm_incident_wake_idx on alarm_incident (snoozed_until) where status = 'snoozed';

-- What there is to tell in a tenant, in one order: written under a lock of the tenant, so that seq grows with the commits
-- and a reader that has come to a seq has missed nothing before it.
create table notification (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  seq bigint generated always as identity,
  -- Of alarm_event; null for what the service has to tell about its own sending.
  event_id uuid,
  incident_id uuid,
  device_id uuid,
  event_type text not null check (event_type in (
    'raised', 'severity_changed', 'acknowledged', 'snoozed', 'woken', 'closed', 'amended', 'webhook_disabled')),
  severity text not null check (severity in ('info', 'warning', 'critical')),
  title text not null,
  message text not null,
  by_user uuid,
  details jsonb not null default '{}',
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  in_app boolean not null,
  by_email boolean not null,
  by_webhook boolean not null,
  primary key (tenant_id, id),
  constraint notification_incident_fkey foreign key (tenant_id, incident_id) references alarm_incident (tenant_id, id)
);
create unique index notification_seq_key on notification (tenant_id, seq);
create unique index notification_event_key on notification (tenant_id, event_id) where event_id is not null;
create index notification_created_idx on notification (created_at);

-- What a user has read: everything up to a seq, and single ones beyond it.
create table notification_reader (
  tenant_id integer not null,
  user_id uuid not null,
  read_through bigint not null,
  primary key (tenant_id, user_id),
  constraint notification_reader_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade
);
create table notification_read (
  tenant_id integer not null,
  user_id uuid not null,
  notification_id uuid not null,
  primary key (tenant_id, user_id, notification_id),
  constraint notification_read_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade,
  constraint notification_read_notification_fkey foreign key (tenant_id, notification_id)
    references notification (tenant_id, id) on delete cascade
);
create index notification_read_notification_idx on notification_read (tenant_id, notification_id);

-- What a user wants by e-mail; without a row, by the role.
create table notification_preference (
  tenant_id integer not null,
  user_id uuid not null,
  email_enabled boolean not null,
  email_min_severity text not null check (email_min_severity in ('info', 'warning', 'critical')),
  -- Turkey-local, HH:MM; both or neither. They may span midnight.
  quiet_from text check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to text check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  language text not null check (language in ('tr', 'en')),
  updated_at timestamptz not null,
  primary key (tenant_id, user_id),
  constraint notification_preference_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade,
  constraint notification_preference_quiet check ((quiet_from is null) = (quiet_to is null))
);

create table notification_webhook (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  url text not null,
  -- Sealed (platform/sealer.ts), never in clear.
  secret_sealed text not null,
  min_severity text not null check (min_severity in ('info', 'warning', 'critical')),
  is_active boolean not null default true,
  -- When the service itself stopped sending to it.
  disabled_at timestamptz,
  last_success_at timestamptz,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index notification_webhook_name_key on notification_webhook (tenant_id, name);

-- Who is told what beyond the screen, and how far they have come: the e-mails of a user, or a webhook. A batch is noted
-- before it is sent, so that after a crash between sending and noting the same batch goes out again under the same id.
create table notification_outlet (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  user_id uuid,
  webhook_id uuid,
  done_through bigint not null,
  batch_id uuid,
  batch_through bigint,
  attempts integer not null default 0,
  -- When to look at it next; null while there is nothing to send. Being sent now: when it is given up for lost.
  due_at timestamptz,
  last_sent_at timestamptz,
  failing_since timestamptz,
  last_error text,
  primary key (tenant_id, id),
  constraint notification_outlet_user_fkey foreign key (tenant_id, user_id)
    references app_user (tenant_id, id) on delete cascade,
  constraint notification_outlet_webhook_fkey foreign key (tenant_id, webhook_id)
    references notification_webhook (tenant_id, id) on delete cascade,
  constraint notification_outlet_one check (num_nonnulls(user_id, webhook_id) = 1),
  constraint notification_outlet_batch check ((batch_id is null) = (batch_through is null))
);
create unique index notification_outlet_user_key on notification_outlet (tenant_id, user_id) where user_id is not null;
create unique index notification_outlet_webhook_key on notification_outlet (tenant_id, webhook_id)
  where webhook_id is not null;
create index notification_outlet_due_idx on notification_outlet (due_at) where due_at is not null;
