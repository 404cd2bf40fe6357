-- When an attempt of an update began: its deadline is put off by the time in which its device was locked out.
alter table ota_update add column begun_at timestamptz;
update ota_update set begun_at = deadline_at - timeout_s * interval '1 second';
