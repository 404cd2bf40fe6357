import { ensureSystemTemplates } from '../../../src/areas/equipment/device-templates/index.ts'
import { HOUR_MS, periodOf } from '../../../src/kernel/time.ts'
import { newEmail } from '../accounts.ts'
import { makePolicy, openIncidents } from '../alarms/incidents.ts'
import { openCharging } from '../charging/charging.ts'
import { connectGateway, createDevice, telemetry } from '../field/mqtt.ts'
import { setUpDashboard } from '../insight/widgets.ts'
import type { Json } from '../json.ts'
import { makeSpring, readMarch } from '../netting/calculated-months.ts'
import { correct } from '../netting/corrections.ts'
import { makeFinishedForecast } from '../netting/finished-hourly-forecast.ts'
import { makeFinishedSizing } from '../netting/finished-sizing.ts'
import { makeFacility } from '../netting/netting.ts'
import { runOptimisationJob } from '../netting/optimisation-job.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from '../netting/prices.ts'
import { runScenarioJob } from '../netting/scenario-job.ts'
import { createPoint, lotoCalls, setUpLoto } from '../safety/loto.ts'
import { createModelGateway, releaseFirmware } from '../updates/firmware.ts'
import type { TestConsole } from './console.ts'

const MODEL = 'GW-9'

export interface ConsoleRecords {
  /** The ids in the paths of pages, by the name of the parameter. */
  readonly ids: Readonly<Record<string, string>>
  /** Names of records of the service, which are the same in every language. */
  readonly names: readonly string[]
  close(): Promise<void>
}

/** Records of every kind that the console shows. The service needs the roles of chargers, MQTT and a data folder. */
export async function makeConsoleRecords(web: TestConsole): Promise<ConsoleRecords> {
  const { api, tenant } = web
  const setId = await makePriceSet(api.deps, '2025-01-01', INDUSTRIAL_PRICES)
  const { groupId, producerId, ...scenarios } = await makeGroup(web)
  const forecastId = await makeForecast(web)
  const sizingId = await makeFinishedSizing(web, { groupId, facilityId: producerId })
  const { gatewayId, deviceId } = await makeEquipment(web)
  const batchId = await makeRollout(web, gatewayId)
  const policy = await makePolicy(api, tenant, { name: 'Overheating' })
  await openIncidents(api, tenant, policy, { count: 3, deviceId, message: 'Transformer too hot' })
  const loto = await setUpLoto(api, tenant)
  const points = [
    await createPoint(loto, { name: 'Ana şalter' }),
    await createPoint(loto, { name: 'Vana 3' }),
  ]
  const lotoSession = await lotoCalls(loto).inStatus('applied', points)
  const charging = await makeCharging(web)
  await makeAccess(web)
  await makeMarketPrices(web)
  await makeNotification(web)
  await makeChargingManagement(web, charging.ids.chargerId)
  const templates = await makeTemplates(web)
  const dashboard = await setUpDashboard(api, tenant)
  await dashboard.widget('alarm_summary', { scope: 'tenant' }, { title: 'East roof' })
  const ids = {
    templateId: templates.id,
    setId,
    groupId,
    ...scenarios,
    forecastId,
    sizingId,
    gatewayId,
    deviceId,
    batchId,
    subregionId: dashboard.subregionId,
    ...charging.ids,
    lotoSession,
  }
  return { ids, names: [...templates.names, ...SCENARIO_NAMES, OPTIMISATION_NAME], close: charging.close }
}

const OPTIMISATION_NAME = 'Best dispatch'
const SCENARIO_NAMES = ['Twice the plant', 'Battery at the works'] as const

/** A group with three netted months, of which one was corrected, two scenarios of them, and an optimisation. */
async function makeGroup({ api, tenant }: TestConsole) {
  const spring = await makeSpring(api, tenant)
  await readMarch(api, tenant, spring)
  await correct(api, tenant, spring.group, { billing_period: '2026-03-01' })
  const base = { group_ids: [spring.group.id], from: '2026-03', to: '2026-05', cost_try: '25000' }
  const battery = { capacity_kwh: 20, power_kw: 5, efficiency: '0.9', rule: 'self_consumption' }
  const changes = [
    { type: 'scale_plant', facility_id: spring.producer.id, factor: 2 },
    { type: 'add_battery', facility_id: spring.consumer.id, ...battery, balance_of: 'group' },
  ]
  const ids: string[] = []
  for (const [index, name] of SCENARIO_NAMES.entries()) {
    const body = { ...base, name, changes: changes.slice(0, index + 1) }
    const { token } = tenant.admin
    ids.push((await api.call('POST', '/api/mahsuplasma/scenarios', { token, body })).body.id)
  }
  await runScenarioJob(api)
  const [scenarioId = '', otherScenarioId = ''] = ids
  const { body } = await api.call('POST', '/api/mahsuplasma/optimisations', {
    token: tenant.admin.token,
    body: {
      ...{ name: OPTIMISATION_NAME, kind: 'battery_dispatch', group_ids: [spring.group.id] },
      ...{ from: '2026-03', to: '2026-03', first_day: '2026-03-01', end_day: '2026-03-02' },
      batteries: [{ facility_id: spring.consumer.id, capacity_kwh: 20, power_kw: 5, efficiency: '0.9' }],
    },
  })
  await runOptimisationJob(api)
  return {
    groupId: spring.group.id,
    producerId: spring.producer.id,
    scenarioId,
    otherScenarioId,
    optimisationId: body.id,
  }
}

/** A finished forecast by hour of a facility. */
async function makeForecast({ api, tenant }: TestConsole): Promise<string> {
  const { id } = await makeFacility(api.deps, tenant)
  return makeFinishedForecast({ api, tenant }, id)
}

/** Two gateways, a meter with values of some hours, and a message that could not be used. */
async function makeEquipment({ api, tenant }: TestConsole) {
  const gateway = await createModelGateway(api, tenant, { name: 'East roof', model: MODEL })
  const deviceId = await createDevice(api, tenant, { name: 'Main meter of the press', gatewayId: gateway.id })
  const client = await connectGateway(api.mqttPort, gateway)
  const now = api.clock.now()
  for (const hours of [30, 5, 4, 3, 1])
    await client.publishAsync(
      'telemetry',
      telemetry('Main meter of the press', [
        {
          ts: now - hours * HOUR_MS,
          v: { import_active_energy: 1000 - hours * 10, active_power: 9.5 + hours },
        },
      ]),
      { qos: 1 },
    )
  const unknown = telemetry('unknown meter', [{ ts: now, v: { voltage: 230 } }])
  await client.publishAsync('telemetry', unknown, { qos: 1 })
  await client.endAsync()
  return { gatewayId: gateway.id, deviceId }
}

async function makeRollout({ api, tenant }: TestConsole, gatewayId: string): Promise<string> {
  const firmware = await releaseFirmware(api, tenant, { version: '2.0.0', model: MODEL })
  const other = await createModelGateway(api, tenant, { name: 'West roof', model: MODEL })
  const { body } = await api.call('POST', '/api/ota/updates/batch', {
    token: tenant.operator.token,
    body: { firmware_version_id: firmware.id, gateway_ids: [gatewayId, other.id] },
  })
  return body.id
}

/** A charging station with a finished session and one that is under way. */
async function makeCharging({ api, tenant }: TestConsole) {
  const fixture = await openCharging(api, tenant, { name: 'Parking 1' })
  const { station, charger, start, stop, meter, sessions } = fixture
  await station.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'Wall 22' })
  const now = () => new Date(api.clock.now()).toISOString()
  const status = { connectorId: 1, errorCode: 'NoError', status: 'Charging', timestamp: now() }
  await station.call('StatusNotification', status)
  for (const isStopped of [true, false]) {
    const { transactionId } = await start({ meterStart: 1000 })
    for (const power of ['7200', '11000']) {
      api.clock.advance(60_000)
      const register = power === '7200' ? '1120' : '1250'
      await meter(
        now(),
        [
          { measurand: 'Power.Active.Import', unit: 'W', value: power },
          { measurand: 'Energy.Active.Import.Register', unit: 'Wh', value: register },
        ],
        { transactionId },
      )
    }
    if (isStopped) await stop({ transactionId, meterStop: 1250, at: now() })
  }
  const [session] = await sessions()
  return { ids: { chargerId: charger.id, chargingSession: session.id }, close: () => station.end() }
}

/** The templates of the service; one of them is shown. */
async function makeTemplates({ api, tenant }: TestConsole) {
  await ensureSystemTemplates(api.deps)
  const { token } = tenant.superuser
  const { body } = await api.call('GET', '/api/devices/device-templates?limit=100', { token })
  const items: { id: string; name: string }[] = body.items
  return { id: items[0]?.id ?? '', names: items.map(({ name }) => name) }
}

/** An invitation, a role and an OpenID provider of the tenant. */
async function makeAccess({ api, tenant }: TestConsole): Promise<void> {
  const { token } = tenant.superuser
  await api.call('POST', '/api/users/invitations', { token, body: { email: newEmail() } })
  await api.call('POST', '/api/roles', { token, body: { name: 'billing', permissions: ['read:netting'] } })
  const provider = {
    issuer: 'https://login.example.org',
    client_id: 'netsaat',
    client_secret: 'secret of the provider',
    allowed_domains: ['example.org'],
    is_enabled: false,
  }
  const response = await api.call('PUT', '/api/auth/oidc/provider', { token, body: provider })
  if (response.status !== 200) throw new Error(response.text)
}

/** Who is notified, and when nobody is. */
async function makeNotification(web: TestConsole): Promise<void> {
  const recipients = [{ user_id: web.tenant.admin.id }]
  const body = { name: 'Night shift', levels: [{ delay_minutes: 15, recipients }] }
  await create(web, '/api/escalation-policies', body)
  const { id } = await create(web, '/api/regions', { name: 'West' })
  const site = await create(web, '/api/subregions', { name: 'West roof', region_id: id })
  const window = { subregion_id: site.id, from: '2099-01-01', to: '2099-01-02', note: 'East roof' }
  await create(web, '/api/alarms/maintenance', window)
}

async function makeChargingManagement(web: TestConsole, charger_id: string): Promise<void> {
  const members = [{ charger_id, max_kw: 22 }]
  await create(web, '/api/ocpp/charging-groups', { name: 'Parking 1', limit_kw: 44, members })
  await create(web, '/api/ocpp/id-tags', { tag: 'CARD-1' })
  const expires_at = new Date(web.api.clock.now() + HOUR_MS).toISOString()
  await create(web, '/api/ocpp/reservations', { charger_id, id_tag: 'CARD-1', expires_at })
}

async function create({ api, tenant }: TestConsole, path: string, body: object): Promise<Json> {
  const response = await api.call('POST', path, { token: tenant.admin.token, body })
  if (response.status !== 201) throw new Error(response.text)
  return response.body
}

async function makeMarketPrices({ api }: TestConsole): Promise<void> {
  const month = periodOf(api.clock.now()).slice(0, 7)
  const rows = [0, 1, 2].map((hour) => [`${month}-01T0${hour}:00:00+03:00`, `${2000 + hour * 350}.25`])
  await api.deps.database.pool.query(
    `insert into market_price (ts, market, price_try_per_mwh, price_status, fetched_at)
     select ts::timestamptz, 'ptf', price::numeric, 'final', now() from unnest($1::text[], $2::text[]) as t(ts, price)`,
    [rows.map(([ts]) => ts), rows.map(([, price]) => price)],
  )
}
