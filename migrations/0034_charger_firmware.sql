-- Charging stations are updated as other devices are, and told by their own socket instead of a gateway's topics.
alter table ota_update alter column via_gateway_id drop not null;
alter table ota_update add column via_charger_id uuid;
alter table ota_update add constraint ota_update_charger_fkey foreign key (tenant_id, via_charger_id)
  references charger (tenant_id, id);
alter table ota_update add constraint ota_update_via check ((via_gateway_id is null) <> (via_charger_id is null));
create index ota_update_charger_idx on ota_update (tenant_id, via_charger_id, created_at desc)
  where via_charger_id is not null;
create index charger_command_update_idx on charger_command (tenant_id, (request ->> 'update_id'), seq desc)
  where action in ('update_firmware', 'update_signed_firmware');

-- What stations of OCPP hold a file against themselves: the manufacturer's certificate (PEM) and the signature that its key
-- made of the file, base64.
alter table firmware_version
  add column signing_certificate text,
  add column certificate_signature text,
  add constraint firmware_version_certified check ((signing_certificate is null) = (certificate_signature is null));
