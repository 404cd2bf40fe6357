/**
 * The statements that do not keep the routing rule (ADR 0103): the function or constant that has it, the beginning of
 * its text with white space collapsed, and the reason. `"*"` in a text stands for any quoted name. The list may only
 * shrink: test/guards/routing-rule.test.ts has its length.
 */
export type CrossTenantStatement = readonly [name: string, beginning: string, reason: string]

const OLD_TOKEN = 'a token of before ADR 0121 names no tenant; it stays valid until it expires or is replaced'
const NAME = 'a name of a gateway, given by a certificate or an outside broker, names no tenant'
const JOB = 'a job finds the work of all tenants, and then works tenant by tenant'
const SWEEP = 'a job ends or deletes what is over, in all tenants'
const BATCH = 'a batch is written together for all tenants: no transaction per tenant'
const HOLDER = 'a process looks for what it holds itself, in any tenant'
const SYSTEM = 'records of the installation that have a copy in every tenant'
const OPERATOR = 'a superuser works on a record of any tenant'

export const CROSS_TENANT_STATEMENTS: readonly CrossTenantStatement[] = [
  ['tenantsWithRows', 'select distinct tenant_id from "*" order by tenant_id', JOB],
  // Access
  ['changeEmail', 'select "email" from "login_email"', 'an e-mail address is unique across all tenants'],
  ['changeEmail', 'update "login_email" set "email"', 'an e-mail address is unique across all tenants'],
  ['remove', 'delete from "login_email"', 'an e-mail address is unique across all tenants'],
  ['searchTokenTenant', 'select tenant_id as token_tenant from "*" where', OLD_TOKEN],
  ['findEnabled', 'select "oidc_provider"."tenant_id", "oidc_provider"."issuer"', 'a sign-in names a tenant'],
  ['readSampleStates', 'select wanted.tenant_id, q.quotas', BATCH],
  ['listSuperuserTenants', 'select distinct "tenant_id" from "app_user"', JOB],
  [
    'measureStorage',
    'insert into tenant_storage (tenant_id, bytes, measured_at)',
    'reads statistics, no rows',
  ],
  ['removeDaysBefore', 'delete from tenant_usage_day where tenant_id is not null', SWEEP],
  // Administration
  [
    'deleteRowsOf',
    'delete from "*" where tenant_id = $1 and ctid = any(array(',
    'takes rows of tables of any key',
  ],
  // Alarms
  ['watchedTenants', 'select distinct w.tenant_id as id from sample_watch', JOB],
  ['markedTenants', 'select distinct b.tenant_id as id from unevaluated_batch', JOB],
  ['newPolicies', 'select tenant_id as "tenantId", id, round(date_part(\'epoch\', watched_from)', JOB],
  ['listTenantsToWake', 'select distinct tenant_id from alarm_incident', SWEEP],
  ['listDueWork', 'select due.work, due.tenant_id as "tenantId", case when due.due_at >', JOB],
  ['countPendingByChannel', 'select sum(event)::int as event', 'metrics of the process'],
  ['purge', 'delete from notification where created_at', SWEEP],
  ['purge', 'delete from escalation_message where created_at', SWEEP],
  // Charging
  ['chargersAfter', 'select "tenant_id" as "tenantId", "id" from "charger" where (tenant_id, id) >', JOB],
  ['listDueWork', 'select due.work, due.tenant_id as "tenantId", due.charger_id as "chargerId",', JOB],
  ['listWithOpen', 'select distinct c.charger_id from charger_command', HOLDER],
  ['listTenantsToExpire', 'select distinct tenant_id from charger_reservation', SWEEP],
  ['expire', 'update "charger_file" set "state" = \'expired\'', SWEEP],
  ['listUnassigned', 'select "tenant_id", "id", "device_id", "waiting_samples" from', JOB],
  // Equipment
  ['findTenantsOfGateway', 'select c.tenant_id from gateway_credential c', NAME],
  ['markAllOffline', 'update "gateway" set "is_online"', 'a broker that starts has no session of any tenant'],
  ['findByBrokerNames', 'select g.tenant_id as "tenantId", t.uid as "tenantUid", g.id as', NAME],
  [
    'listGatewaysToReplay',
    'select g.tenant_id, g.gateway_id from ( select distinct tenant_id, mqtt_gateway_id',
    JOB,
  ],
  ['writePollReports', 'update gateway g set is_online = reported.is_online', BATCH],
  ['writePollReports', 'update modbus_lease l set report = reported.report', BATCH],
  ['claimGateways', 'update modbus_lease set expires_at', HOLDER],
  ['claimGateways', 'select g.tenant_id as "tenantId", g.id as "gatewayId" from gateway g left join', HOLDER],
  [
    'countOpenGaps',
    'select count(*) as "count" from "gateway_sequence" where "gap_since"',
    'metrics of the process',
  ],
  ['findDeadHolders', 'select distinct holder from modbus_lease', HOLDER],
  ['keepPolled', 'select l.tenant_id as "tenantId", l.gateway_id as "gatewayId"', HOLDER],
  ['releaseGateways', 'delete from "modbus_lease" where "holder"', HOLDER],
  ['readPollTargets', 'select g.tenant_id as "tenantId", g.id as "gatewayId", g.host', HOLDER],
  ['readPollTargets', 'select * from ( select d.tenant_id as "tenantId", d.gateway_id', HOLDER],
  ['readPollTargets', 'select t.tenant_id as "tenantId", t.id, md5(t.register_map::text)', HOLDER],
  // Insight
  ['listRunning', 'select "tenant_id", "id", "attempts", "heartbeat_at" from "data_export"', JOB],
  [
    'listWaiting',
    'select tenant_id, id from ( select distinct on (tenant_id) tenant_id, id, created_at',
    JOB,
  ],
  ['releaseDead', 'update data_export set status = case', SWEEP],
  ['purge', 'delete from data_export where status', SWEEP],
  ['finish', "update data_export set status = 'failed'", SWEEP],
  ['listFiles', 'select "tenant_id", "id", "format", "attempts", "status" from "data_export"', SWEEP],
  // Metering
  ['nextSealed', 'with kept as ( select s.* from measurement_set_aside', JOB],
  ['deleteAllExpiredTickets', 'delete from "live_ticket" where "expires_at"', SWEEP],
  ['findDevices', 'select d.tenant_id, d.id, d.key from unnest(', BATCH],
  ['listMarkedDevices', 'select tenant_id, device_key from rollup_dirty_range', JOB],
  ['listUnrolledDevices', 'select d.tenant_id, d.key from device d left join rollup_state', JOB],
  ['listDeletedDevices', 'select "tenant_id", "device_key" from "deleted_device"', JOB],
  // Netting
  [
    'listMeasuredFacilities',
    'select o.tenant_id, o.id from facility o where exists (select 1 from tenant',
    JOB,
  ],
  ['listLateDevices', 'select distinct tenant_id, device_key from late_dirty_range r', JOB],
  ['listBlockedBy', 'select g.tenant_id, g.id from netting_group g', JOB],
  ['listOpen', 'select h.tenant_id, h.id from history_calculation', JOB],
  [
    'findTenantOf',
    'select "tenant"."id" as "key", "tenant"."uid" as "id" from "history_calculation"',
    OPERATOR,
  ],
  ['findTenant', 'select "tenant_id" from "facility" where "id"', OPERATOR],
  ['listQueuedFacilities', 'select distinct tenant_id, facility_id from fact_rebuild', JOB],
  ['listWaiting', 'select i.tenant_id, i.bulk_id, i.group_id from bulk_calculation', JOB],
  ['listActiveGroups', 'select o.tenant_id, o.id from netting_group o', JOB],
  ['renameFormer', 'update organization o set name', SYSTEM],
  ['syncCopies', 'insert into organization (tenant_id, id, org_type', SYSTEM],
  ['syncCopies', 'update organization o set is_active', SYSTEM],
  ['listTenantOverrides', 'select t.slug, s.org_type, s.name from system_organization', SYSTEM],
  ['listSystem', 'select s.id, s.org_type, s.name, s.is_active', SYSTEM],
  // Updates
  ['listWithSettledWave', 'select "b"."tenant_id", "b"."id" from "ota_batch"', JOB],
  ['listOverdue', 'select "tenant_id", "id" from "ota_update" where "finished_at"', JOB],
  ['listUnnotified', 'select "tenant_id", "id" from "ota_update" where "status"', JOB],
]

export const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim()

const begins = (statement: string, beginning: string): boolean => {
  const [start = '', rest] = beginning.split('"*"')
  if (rest === undefined) return statement.startsWith(beginning)
  return (
    statement.startsWith(`${start}"`) &&
    statement
      .slice(start.length)
      .replace(/^"[^"]*"/, '')
      .startsWith(rest)
  )
}

/** Whether a statement is in the list. `"*"` in a beginning stands for any quoted name. */
export function isCrossTenant(text: string): boolean {
  const statement = collapse(text)
  return CROSS_TENANT_STATEMENTS.some(([, beginning]) => begins(statement, beginning))
}
