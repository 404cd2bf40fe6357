-- The certificate authority of this installation, which signs the certificates of charging stations (security profile 3):
-- one, for all tenants, because the listener that asks for them knows no tenant yet.
create table charger_authority (
  id smallint primary key default 1 check (id = 1),
  certificate_pem text not null,
  -- Sealed (platform/sealer.ts), never in clear.
  private_key_sealed text not null,
  created_at timestamptz not null
);

-- What it has signed. Whether one still counts is a matter of its dates.
create table charger_certificate (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  charger_id uuid not null,
  -- Hexadecimal; unique for the authority, being random.
  serial text not null,
  -- Of the DER, hexadecimal.
  sha256 text not null,
  certificate_pem text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  -- Of the request it was signed for: asking again for the same gives the same.
  csr_sha256 bytea not null,
  -- The command that sends it to the station.
  command_id uuid,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charger_certificate_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_certificate_csr_key unique (tenant_id, charger_id, csr_sha256)
);
create index charger_certificate_charger_idx on charger_certificate (tenant_id, charger_id, created_at desc, id);

-- What stations upload when they are asked to: diagnostics and security logs. The file lies in the data folder.
create table charger_file (
  tenant_id integer not null,
  id uuid not null default gen_random_uuid(),
  charger_id uuid not null,
  -- The command that asked for it.
  command_id uuid,
  kind text not null check (kind in ('diagnostics', 'security')),
  -- SHA-256 of the token in the upload's address, which is good for one file.
  token_hash bytea not null,
  state text not null default 'waiting' check (state in ('waiting', 'received', 'failed', 'expired')),
  -- As the station calls it.
  file_name text,
  size_bytes bigint,
  sha256 text,
  created_at timestamptz not null,
  received_at timestamptz,
  -- Nothing is received after this.
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charger_file_charger_fkey foreign key (tenant_id, charger_id) references charger (tenant_id, id),
  constraint charger_file_received check ((state = 'received') = (received_at is not null))
);
create index charger_file_token_idx on charger_file (token_hash) where state = 'waiting';
create index charger_file_charger_idx on charger_file (tenant_id, charger_id, created_at desc, id);
