import { randomUUID } from 'node:crypto'
import { type JsonColumns, toJson } from '../../src/platform/db/json-columns.ts'
import { makePolicy, openIncidents } from './alarms/incidents.ts'
import { CHARGER_BODIES, CHARGER_MAKERS } from './charging/foreign-chargers.ts'
import { type ForeignFixture, type PathIds, post, unique } from './foreign-fixture.ts'
import { makeFinishedForecast } from './netting/finished-hourly-forecast.ts'
import { makeFinishedOptimisation } from './netting/finished-optimisation.ts'
import { makeFinishedScenario } from './netting/finished-scenario.ts'
import { makeFinishedSizing } from './netting/finished-sizing.ts'
import { invoiceCheck, invoiceForm, mapping } from './netting/invoice-records.ts'
import { makeInstallation, postReadings } from './netting/osos.ts'

const region = (fixture: ForeignFixture) => post(fixture, '/api/regions', { name: unique('region') })
const subregion = async (fixture: ForeignFixture) =>
  post(fixture, '/api/subregions', { name: unique('subregion'), region_id: await region(fixture) })
const device = (fixture: ForeignFixture) =>
  post(fixture, '/api/devices', { name: unique('device'), device_type: 'energy_analyzer' })

/** An import of one official reading. */
async function officialImport({ api, tenant }: ForeignFixture): Promise<string> {
  const { id } = await makeInstallation(api, tenant)
  const readings = [['2026-05-01T01:00:00+03:00', '1', '0']] as const
  return (await postReadings(api, tenant, { id, readings })).body.import_id
}

/** An export that no process will execute: no file is written. */
async function failedExport({ api, tenant }: ForeignFixture): Promise<string> {
  const row = await api.deps.database.kysely
    .insertInto('data_export')
    .values({
      tenant_id: tenant.id,
      status: 'failed',
      format: 'csv',
      request: toJson({} as JsonColumns['data_export.request']),
      file_name: 'x.csv',
      location: 'nowhere',
      created_at: new Date(api.clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const lotoPoint = async (fixture: ForeignFixture) =>
  post(fixture, '/api/loto/points', {
    name: unique('point'),
    subregion_id: await subregion(fixture),
    energy_type: 'electrical',
    isolation_method: 'main switch off',
    location: 'hall 1',
  })
const lotoSession = (fixture: ForeignFixture, pointId: string) =>
  post(fixture, '/api/loto/sessions', { title: unique('work'), reason: 'a reason', point_ids: [pointId] })

/** A lock requires a session that another user has approved. */
async function lotoLock(fixture: ForeignFixture): Promise<string> {
  const { api, tenant } = fixture
  const point_id = await lotoPoint(fixture)
  const session_id = await lotoSession(fixture, point_id)
  await api.call('POST', `/api/loto/sessions/${session_id}/approve`, { token: tenant.admin.token })
  return post(fixture, '/api/loto/locks', { session_id, point_id })
}

const incident = async ({ api, tenant }: ForeignFixture): Promise<string> =>
  (await openIncidents(api, tenant, await makePolicy(api, tenant)))[0] ?? ''

async function notification({ api, tenant }: ForeignFixture): Promise<string> {
  const { rows } = await api.deps.database.pool.query<{ id: string }>(
    `insert into notification (tenant_id, event_type, severity, title, message, occurred_at, created_at, in_app, by_email,
       by_webhook)
     values ($1, 'raised', 'info', 'x', 'x', $2, $2, true, false, false) returning id`,
    [tenant.id, new Date(api.clock.now())],
  )
  return rows[0]?.id ?? ''
}

/** Inserted directly, because the route would require CREDENTIAL_ENCRYPTION_KEY. */
async function webhook({ api, tenant }: ForeignFixture): Promise<string> {
  const { rows } = await api.deps.database.pool.query<{ id: string }>(
    `insert into notification_webhook (tenant_id, name, url, secret_sealed, min_severity, created_at, updated_at)
     values ($1, $2, 'http://192.0.2.1/', 'none', 'info', $3, $3) returning id`,
    [tenant.id, unique('webhook'), new Date(api.clock.now())],
  )
  return rows[0]?.id ?? ''
}

/** Inserted directly for the same reason. */
async function channel({ api, tenant }: ForeignFixture): Promise<string> {
  const { rows } = await api.deps.database.pool.query<{ id: string }>(
    `insert into notification_channel
       (tenant_id, name, type, language, server_url, topic, min_severity, created_at, updated_at)
     values ($1, $2, 'ntfy', 'tr', 'http://192.0.2.1/', 'topic', 'info', $3, $3) returning id`,
    [tenant.id, unique('channel'), new Date(api.clock.now())],
  )
  return rows[0]?.id ?? ''
}

/** Has no file: the tenant is checked before the file is opened. */
async function firmware(
  { api, tenant }: ForeignFixture,
  status: 'draft' | 'released' = 'draft',
): Promise<string> {
  const at = new Date(api.clock.now())
  const row = await api.deps.database.kysely
    .insertInto('firmware_version')
    .values({
      tenant_id: tenant.id,
      version: '1.0.0',
      device_model: unique('model'),
      file_name: 'firmware.bin',
      size_bytes: 1,
      sha256: '0'.repeat(64),
      status,
      released_at: status === 'released' ? at : null,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

async function otaBatch(fixture: ForeignFixture): Promise<string> {
  const row = await fixture.api.deps.database.kysely
    .insertInto('ota_batch')
    .values({
      tenant_id: fixture.tenant.id,
      firmware_version_id: await firmware(fixture, 'released'),
      wave_sizes: [1],
      success_threshold_pct: 100,
      error_threshold_pct: 100,
      rollback_on_error: false,
      created_at: new Date(fixture.api.clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

async function otaUpdate(fixture: ForeignFixture): Promise<string> {
  const { api, tenant } = fixture
  const gateway = await post(fixture, '/api/gateways', { name: unique('gateway'), gateway_type: 'mqtt' })
  const at = new Date(api.clock.now())
  const row = await api.deps.database.kysely
    .insertInto('ota_update')
    .values({
      tenant_id: tenant.id,
      gateway_id: gateway,
      via_gateway_id: gateway,
      firmware_version_id: await firmware(fixture, 'released'),
      is_due: true,
      retries: 0,
      retries_left: 0,
      rolls_back: false,
      timeout_s: 60,
      created_at: at,
      changed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const NETTING = '/api/mahsuplasma'
const facility = async (fixture: ForeignFixture) =>
  post(fixture, `${NETTING}/facilities`, { subregion_id: await subregion(fixture) })
const group = (fixture: ForeignFixture) =>
  post(fixture, `${NETTING}/groups`, { name: unique('group'), mahsuplasma_type: 'lisanssiz' })

const API_KEY = { name: 'a key', permissions: ['read:device'], expires_in_days: 1 }

/** By the route pattern up to its last id. A route whose resource is missing here fails the walk. */
export const RECORD_FACTORIES: Readonly<Record<string, (fixture: ForeignFixture) => Promise<PathIds>>> = {
  '/api/users/:id': async (fixture) => ({
    id: await post(fixture, '/api/users', {
      email: `${randomUUID()}@example.test`,
      password: 'a password of 12',
      role_ids: [],
    }),
  }),
  '/api/users/invitations/:id': async (fixture) => ({
    id: await post(fixture, '/api/users/invitations', { email: `${randomUUID()}@example.test` }),
  }),
  '/api/api-keys/:id': async (fixture) => ({
    id: await post(fixture, '/api/api-keys', API_KEY),
  }),
  '/api/machine-keys/:id': async (fixture) => ({
    id: await post(fixture, '/api/machine-keys', API_KEY),
  }),
  '/api/roles/:id': async (fixture) => ({
    id: await post(fixture, '/api/roles', { name: unique('role'), permissions: [] }),
  }),
  '/api/regions/:id': async (fixture) => ({ id: await region(fixture) }),
  '/api/subregions/:id': async (fixture) => ({ id: await subregion(fixture) }),
  '/api/widgets/:id': async (fixture) => ({
    id: await post(fixture, '/api/widgets', {
      subregion_id: await subregion(fixture),
      widget_type: 'consumption_chart',
      title: unique('widget'),
    }),
  }),
  '/api/gateways/dead-letters/:id': async ({ api, tenant }) => {
    const { id } = await api.deps.database.kysely
      .insertInto('dead_letter')
      .values({
        tenant_id: tenant.id,
        topic: 'telemetry',
        payload: Buffer.from('x'),
        reason: 'not_json',
        detail: 'the payload is not JSON',
        received_at: new Date(0),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id }
  },
  '/api/gateways/:id': async (fixture) => ({
    id: await post(fixture, '/api/gateways', { name: unique('gateway'), gateway_type: 'modbus' }),
  }),
  '/api/gateways/:id/rawconfig/versions/:version': async (fixture) => {
    const id = await post(fixture, '/api/gateways', { name: unique('gateway'), gateway_type: 'modbus' })
    await fixture.api.call('POST', `/api/gateways/${id}/rawconfig/sync`, {
      token: fixture.tenant.admin.token,
      body: { force: true },
    })
    return { id, version: '1' }
  },
  '/api/loto/points/:id': async (fixture) => ({ id: await lotoPoint(fixture) }),
  '/api/loto/sessions/:id': async (fixture) => ({ id: await lotoSession(fixture, await lotoPoint(fixture)) }),
  '/api/loto/locks/:id': async (fixture) => ({ id: await lotoLock(fixture) }),
  ...CHARGER_MAKERS,
  '/api/v1/zigbee/claims/:id': async (fixture) => ({
    id: await post(fixture, '/api/v1/zigbee/claims/generate', { gateway_name: unique('claim') }),
  }),
  '/api/v1/zigbee/gateways/:id': async (fixture) => ({
    id: await post(fixture, '/api/gateways', { name: unique('gateway'), gateway_type: 'zigbee' }),
  }),
  '/api/alarms/:id': async (fixture) => ({
    id: await post(fixture, '/api/alarms', {
      name: unique('policy'),
      alarm_type: 'offline',
      severity: 'info',
    }),
  }),
  '/api/alarms/incidents/:id': async (fixture) => ({ id: await incident(fixture) }),
  '/api/notifications/:id': async (fixture) => ({ id: await notification(fixture) }),
  '/api/notification-webhooks/:id': async (fixture) => ({ id: await webhook(fixture) }),
  '/api/notification-channels/:id': async (fixture) => ({ id: await channel(fixture) }),
  '/api/escalation-policies/:id': async (fixture) => ({
    id: await post(fixture, '/api/escalation-policies', {
      name: unique('escalation'),
      levels: [{ delay_minutes: 1, recipients: [{ email: 'shift@example.test' }] }],
    }),
  }),
  '/api/alarms/maintenance/:id': async (fixture) => ({
    id: await post(fixture, '/api/alarms/maintenance', {
      device_id: await device(fixture),
      from: new Date(fixture.api.clock.now()).toISOString(),
      to: new Date(fixture.api.clock.now() + 3_600_000).toISOString(),
    }),
  }),
  '/api/collector-mappings/:id': async (fixture) => ({
    id: await post(fixture, '/api/collector-mappings', { name: unique('mapping') }),
  }),
  '/api/devices/:id': async (fixture) => ({ id: await device(fixture) }),
  '/api/devices/device-templates/:id': async (fixture) => ({
    id: await post(fixture, '/api/devices/device-templates', {
      name: unique('template'),
      device_type: 'inverter',
    }),
  }),
  '/api/measurements/devices/:device_id': async (fixture) => ({ device_id: await device(fixture) }),
  '/api/firmware/versions/:id': async (fixture) => ({ id: await firmware(fixture) }),
  '/api/ota/updates/:id': async (fixture) => ({ id: await otaUpdate(fixture) }),
  '/api/ota/batches/:id': async (fixture) => ({ id: await otaBatch(fixture) }),
  '/api/measurements/exports/:id': async (fixture) => ({ id: await failedExport(fixture) }),
  [`${NETTING}/scopes/:id`]: async (fixture) => ({
    id: await post(fixture, `${NETTING}/scopes`, { name: unique('scope') }),
  }),
  [`${NETTING}/organizations/:id`]: async (fixture) => ({
    id: await post(fixture, `${NETTING}/organizations`, { name: unique('org'), org_type: 'supplier' }),
  }),
  [`${NETTING}/facilities/:id`]: async (fixture) => ({ id: await facility(fixture) }),
  [`${NETTING}/meters/:metering_point_id`]: async (fixture) => ({
    metering_point_id: await post(fixture, `${NETTING}/facilities/${await facility(fixture)}/meters`, {
      meter_no: '1',
    }),
  }),
  [`${NETTING}/meters/assignments/:id`]: async (fixture) => ({
    id: await post(fixture, `${NETTING}/meters/assign`, {
      subregion_id: await subregion(fixture),
      device_id: await device(fixture),
      measurement_role: 'check_meter',
      valid_from: '2026-11-01T00:00:00+03:00',
    }),
  }),
  [`${NETTING}/meters/changes/:id`]: async (fixture) => ({
    id: await post(fixture, `${NETTING}/meters/changes`, {
      device_id: await device(fixture),
      ...{ register: 'import_active_energy', changed_at: '2026-11-01T00:00:00+03:00' },
      ...{ old_end_kwh: '1.000', new_start_kwh: '0.000' },
    }),
  }),
  [`${NETTING}/groups/:id`]: async (fixture) => ({ id: await group(fixture) }),
  [`${NETTING}/groups/bulk/:id`]: async (fixture) => ({
    id: await post(fixture, `${NETTING}/groups/bulk`, {
      ...{ action: 'calculate', billing_period: '2026-11', group_ids: [await group(fixture)] },
    }),
  }),
  [`${NETTING}/optimisations/:id`]: async (fixture) => ({
    id: await makeFinishedOptimisation(fixture, {
      groupId: await group(fixture),
      facilityId: await facility(fixture),
    }),
  }),
  [`${NETTING}/scenarios/:id`]: async (fixture) => ({
    id: await makeFinishedScenario(fixture, await group(fixture)),
  }),
  [`${NETTING}/invoice-mappings/:id`]: async (fixture) => ({
    id: await post(fixture, `${NETTING}/invoice-mappings`, mapping()),
  }),
  [`${NETTING}/invoice-checks/:id`]: async (fixture) => ({
    id: await invoiceCheck(fixture, await group(fixture)),
  }),
  [`${NETTING}/sizings/:id`]: async (fixture) => ({
    id: await makeFinishedSizing(fixture, {
      groupId: await group(fixture),
      facilityId: await facility(fixture),
    }),
  }),
  [`${NETTING}/hourly-forecasts/:id`]: async (fixture) => ({
    id: await makeFinishedForecast(fixture, await facility(fixture)),
  }),
  [`${NETTING}/groups/:id/members/:member_id`]: async (fixture) => {
    const id = await group(fixture)
    const member_id = await post(fixture, `${NETTING}/groups/${id}/members`, {
      facility_id: await facility(fixture),
      member_role: 'mixed',
      valid_from: '2026-11-01',
    })
    return { id, member_id }
  },
  [`${NETTING}/limits/accounts/:id`]: async (fixture) => ({
    id: await post(fixture, `${NETTING}/limits/accounts`, {
      facility_id: await facility(fixture),
      year: 2026,
      initial_limit_kwh: '1000.000',
      limit_source: 'customer_declaration',
    }),
  }),
  '/api/osos/installations/:id': async (fixture) => ({
    id: await post(fixture, '/api/osos/installations', { installation_no: unique('installation') }),
  }),
  '/api/osos/imports/:id': async (fixture) => ({ id: await officialImport(fixture) }),
}

const WINDOW = { from_hour: '2026-11-01T00:00:00+03:00', to_hour: '2026-11-02T00:00:00+03:00' }

/** Bodies that pass the schema, for routes that refuse an empty object. */
export const BODIES: Readonly<Record<string, (fixture: ForeignFixture) => Promise<object> | object>> = {
  [`POST ${NETTING}/scopes/:id/declare-same-official-party`]: () => ({
    declaration_source: 'customer_declaration',
  }),
  'PUT /api/subregions/:id/widgets/positions': () => ({
    positions: [{ widget_id: randomUUID(), x: 0, y: 0, w: 4, h: 2 }],
  }),
  ...CHARGER_BODIES,
  'POST /api/alarms/incidents/:id/snooze': () => ({ minutes: 5 }),
  [`POST ${NETTING}/facilities/:id/meters`]: () => ({ meter_no: '2' }),
  [`POST ${NETTING}/facilities/:id/hourly-energy/rebuild`]: () => WINDOW,
  [`PATCH ${NETTING}/meters/changes/:id`]: () => ({ reason: 'a reason' }),
  [`POST ${NETTING}/meters/changes/:id/void`]: () => ({ reason: 'a reason' }),
  [`POST ${NETTING}/groups/:id/calculate`]: () => WINDOW,
  [`POST ${NETTING}/groups/:id/corrections`]: () => ({
    billing_period: '2026-11-01',
    reason: 'a late reading',
  }),
  [`POST ${NETTING}/groups/:id/period-evaluations`]: () => ({
    billing_period: '2026-10-01',
    reason: 'a late declaration',
  }),
  [`POST ${NETTING}/groups/:id/reconcile`]: invoiceForm,
  [`POST ${NETTING}/groups/:id/objection`]: invoiceForm,
  [`POST ${NETTING}/groups/:id/invoice-checks`]: invoiceForm,
  [`PUT ${NETTING}/invoice-mappings/:id`]: mapping,
  [`PATCH ${NETTING}/invoice-checks/:id/objection`]: () => ({ objection_days: 9 }),
  [`POST ${NETTING}/invoice-checks/:id/objection-steps`]: () => ({ status: 'sent', on: '2026-11-01' }),
  [`POST ${NETTING}/groups/:id/members`]: async (fixture) => ({
    facility_id: await facility(fixture),
    member_role: 'mixed',
    valid_from: '2026-11-01',
  }),
  'POST /api/osos/installations/:id/readings': () => ({
    label: 'hour_ending',
    multiplied: true,
    readings: [{ timestamp: '2026-11-01T01:00:00+03:00', import_kwh: '1' }],
  }),
  'POST /api/osos/installations/:id/readings/import': () => {
    const form = new FormData()
    form.append('file', new Blob(['Tarih;Çekiş\n01.11.2026 01:00;1\n']), 'readings.csv')
    form.append('label', 'hour_ending')
    form.append('multiplied', 'true')
    return form
  },
  [`POST ${NETTING}/limits/accounts/:id/adjust`]: () => ({ amount_kwh: '1.000', reason: 'a reason' }),
}

/** Required query strings. */
export const QUERIES: Readonly<Record<string, string>> = {
  'GET /api/measurements/devices/:device_id/aggregated': 'period=day&date=2026-11-01',
  'GET /api/measurements/devices/:device_id/aggregated-production': 'period=day&date=2026-11-01',
  [`GET ${NETTING}/facilities/:id/hourly-energy`]: 'from=2026-11-01&to=2026-11-02',
  [`GET ${NETTING}/facilities/:id/hourly-energy/totals`]: 'from=2026-11-01&to=2026-11-02',
  [`GET ${NETTING}/groups/:id/audit-package`]: 'billing_period=2026-11',
  [`GET ${NETTING}/hourly-forecasts/:id/hours`]: `facility_id=${randomUUID()}&kind=consumption`,
  [`GET ${NETTING}/scenarios/:id/hours`]: `group_id=${randomUUID()}&billing_period=2026-11`,
  [`GET ${NETTING}/scenarios/:id/report`]: 'kind=months&format=csv',
  [`GET ${NETTING}/groups/:id/report`]: 'billing_period=2026-11&kind=hours&format=csv',
  [`GET ${NETTING}/groups/overview`]: 'billing_period=2026-11',
  'GET /api/ocpp/sessions/report': 'from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z&format=csv',
  'GET /api/changes/report': 'from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z&format=csv',
  [`GET ${NETTING}/groups/:id/comparison`]: 'billing_period=2026-11',
  [`GET ${NETTING}/comparison`]: 'from=2026-11&to=2026-11',
  [`POST ${NETTING}/groups/:id/reconcile`]: 'billing_period=2026-11',
  [`POST ${NETTING}/groups/:id/objection`]: 'billing_period=2026-11',
  [`POST ${NETTING}/groups/:id/invoice-checks`]: 'billing_period=2026-11',
  [`GET ${NETTING}/invoice-checks/:id/report`]: 'format=csv',
}

/** Routes whose id belongs to no tenant, or that a superuser may use in every tenant. */
export const ROUTES_WITHOUT_TENANT: readonly RegExp[] = [
  // The link itself is the permission; it identifies the update or file.
  /^GET \/api\/firmware\/download\/:token$/,
  /^(PUT|POST) \/api\/ocpp\/uploads\/:token/,
  // The name of a list, which is read by its own operation: list-reports.long.test.ts compares the responses.
  /^GET \/api\/reports\/:list$/,
  // Superusers of every tenant.
  /^\w+ \/api\/v1\/admin\/tenants\//,
  /^\w+ \/api\/v1\/admin\/tenant-deletions\//,
  /^\w+ \/api\/v1\/admin\/regulated-tariffs\//,
  /^\w+ \/api\/v1\/admin\/marketop-transparency\//,
  /^DELETE \/api\/mahsuplasma\/facilities\/:id$/,
  /^GET \/api\/mahsuplasma\/history\/jobs\/:id$/,
]
