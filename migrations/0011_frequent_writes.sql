-- When a device, a gateway or a station was last seen is written every few seconds, and is not recorded in the change log.
-- The trigger of the change log therefore runs for statements that set a recorded column only, and pages keep room for the
-- next version of a row, so that it needs no entries in indexes (HOT).
drop trigger record_change on device;
create trigger record_change after insert or delete or update of name, device_type, device_role, device_source, gateway_id,
  mqtt_gateway_id, slave_id, template_id, parent_id, subregion_id, inverter_type, reporting_interval_s, offline_threshold_s,
  extra_metadata on device for each row execute function
  record_change('device', 'id', 'name', '{name,device_type,device_role,device_source,gateway_id,mqtt_gateway_id,slave_id,'
    'template_id,parent_id,subregion_id,inverter_type,reporting_interval_s,offline_threshold_s,extra_metadata}', '{}');
drop trigger record_change on gateway;
create trigger record_change after insert or delete or update of name, gateway_type, subregion_id, host, port, serial_number,
  client_id, poll_interval_s, config on gateway for each row execute function
  record_change('gateway', 'id', 'name', '{name,gateway_type,subregion_id,host,port,serial_number,client_id,'
    'poll_interval_s,config}', '{}');
drop trigger record_change on charger;
create trigger record_change after insert or delete or update of cpid, name, vendor, model, serial_number, subregion_id,
  security_profile, deleted_at, password_hash on charger for each row execute function
  record_change('charger', 'id', 'name', '{cpid,name,vendor,model,serial_number,subregion_id,security_profile,'
    'deleted_at}', '{password_hash}');

alter table device set (fillfactor = 50);
alter table gateway set (fillfactor = 50);
alter table charger set (fillfactor = 50);
