-- Ten thousand incidents at once. A foreign key asks one question for each row that is written, and each connection keeps the
-- plan of that question: one made while the table was small reads all of it every time. The events of a storm
-- took twenty seconds on such a connection, and now take half a second. Incidents are never deleted, and their events and
-- notifications are written from the rows of incidents themselves, so these two keys guarded nothing.
alter table alarm_event drop constraint alarm_event_incident_fkey;
alter table notification drop constraint notification_incident_fkey;
