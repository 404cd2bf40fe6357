-- Tenants and who may act in them.
-- tenant.id is a short internal key, carried by every tenant table (telemetry pays for every byte of a key);
-- tenant.uid is what the wire shows. Tables without tenant_id in their key can become reference tables.
create table tenant (
  id integer generated always as identity primary key,
  uid uuid not null default gen_random_uuid() constraint tenant_uid_key unique,
  name text not null,
  slug text not null constraint tenant_slug_key unique,
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);

create table app_user (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  email text not null,
  full_name text,
  password_hash text not null,
  -- Null until the first change; refresh tokens issued before it are refused.
  password_changed_at timestamptz,
  is_active boolean not null default true,
  is_superuser boolean not null default false,
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  primary key (tenant_id, id)
);

-- An e-mail address is unique in the whole service, whatever its case. No foreign key: this is to be a
-- reference table, which may not refer to a distributed one; both rows are written in one transaction.
create table login_email (
  email text not null check (email = lower(email)),
  tenant_id integer not null references tenant (id),
  user_id uuid not null,
  constraint login_email_key primary key (email)
);

create table role (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  name text not null,
  permissions text[] not null default '{}',
  is_system boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint role_name_key unique (tenant_id, name)
);

create table user_role (
  tenant_id integer not null,
  user_id uuid not null,
  role_id uuid not null,
  primary key (tenant_id, user_id, role_id),
  constraint user_role_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade,
  constraint user_role_role_fkey foreign key (tenant_id, role_id) references role (tenant_id, id)
);
create index user_role_role_idx on user_role (tenant_id, role_id);

-- Tokens are stored hashed (SHA-256); the clear text exists only in the mail.
create table password_reset (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  token_hash bytea not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint password_reset_user_fkey foreign key (tenant_id, user_id) references app_user (tenant_id, id) on delete cascade
);
create index password_reset_token_idx on password_reset (token_hash);
create unique index password_reset_active_key on password_reset (tenant_id, user_id) where used_at is null and revoked_at is null;

create table invitation (
  tenant_id integer not null references tenant (id),
  id uuid not null default gen_random_uuid(),
  email text not null check (email = lower(email)),
  role_ids uuid[] not null default '{}',
  token_hash bytea not null,
  invited_by uuid,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index invitation_token_idx on invitation (token_hash);
create unique index invitation_active_key on invitation (tenant_id, email) where accepted_at is null and revoked_at is null;

-- The first answer to a request that carried an Idempotency-Key.
create table idempotency_key (
  tenant_id integer not null references tenant (id),
  user_id uuid not null,
  key text not null,
  route text not null,
  body_hash bytea not null,
  status smallint,
  answer text,
  created_at timestamptz not null,
  primary key (tenant_id, user_id, key)
);
create index idempotency_key_age_idx on idempotency_key (tenant_id, created_at);
