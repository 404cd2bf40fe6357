import { randomBytes, randomUUID } from 'node:crypto'
import { type ForeignFixture, post, unique } from '../foreign-fixture.ts'
import { RECORD_FACTORIES } from '../foreign-records.ts'
import { makeFinishedForecast } from '../netting/finished-hourly-forecast.ts'
import { makeFinishedOptimisation } from '../netting/finished-optimisation.ts'
import { makeFinishedScenario } from '../netting/finished-scenario.ts'
import { makeFinishedSizing } from '../netting/finished-sizing.ts'
import { createModelGateway, releaseFirmware } from '../updates/firmware.ts'

const NETTING = '/api/mahsuplasma'

/** By the last id of a resource that RECORD_FACTORIES creates. */
const FACTORY_RECORDS = {
  user: '/api/users/:id',
  policy: '/api/alarms/:id',
  incident: '/api/alarms/incidents/:id',
  ota_batch: '/api/ota/batches/:id',
  loto_lock: '/api/loto/locks/:id',
  charging_session: '/api/ocpp/sessions/:id',
  zigbee_gateway: '/api/v1/zigbee/gateways/:id',
  invoice_check: '/api/mahsuplasma/invoice-checks/:id',
  template: '/api/devices/device-templates/:id',
  role: '/api/roles/:id',
  channel: '/api/notification-channels/:id',
  escalation_policy: '/api/escalation-policies/:id',
} as const

export type Kind =
  | keyof typeof FACTORY_RECORDS
  | 'session_charger'
  | keyof Awaited<ReturnType<typeof createRecords>>

/** Ids (and other names) of records of one tenant, which refer to each other where a request needs that. */
export type TenantRecords = Readonly<Record<Kind, string>>

async function createSites(fixture: ForeignFixture) {
  const region = await post(fixture, '/api/regions', { name: unique('region') })
  const createSubregion = () =>
    post(fixture, '/api/subregions', { name: unique('subregion'), region_id: region })
  return { region, subregion: await createSubregion(), free_subregion: await createSubregion() }
}

async function createEquipment(fixture: ForeignFixture, subregion: string) {
  const gateway = (gateway_type: string) =>
    post(fixture, '/api/gateways', { name: unique('gateway'), gateway_type, subregion_id: subregion })
  const device = (device_type: string) =>
    post(fixture, '/api/devices', { name: unique('device'), device_type })
  const model = unique('model')
  const released = await releaseFirmware(fixture.api, fixture.tenant, { version: '2.0.0', model })
  const updated = await createModelGateway(fixture.api, fixture.tenant, { name: unique('gateway'), model })
  await fixture.api.call('PUT', `/api/gateways/${updated.id}`, {
    token: fixture.tenant.admin.token,
    body: { subregion_id: subregion },
  })
  return {
    modbus_gateway: await gateway('modbus'),
    device: await device('energy_analyzer'),
    inverter: await device('inverter'),
    firmware: released.id,
    mqtt_gateway: updated.id,
    updated_device: await post(fixture, '/api/devices', {
      ...{ name: unique('device'), device_type: 'switch', mqtt_gateway_id: updated.id },
    }),
  }
}

async function createRegistry(fixture: ForeignFixture, subregion: string, otherSubregion: string) {
  const organization = await post(fixture, `${NETTING}/organizations`, {
    ...{ name: unique('org'), org_type: 'supplier' },
  })
  const facility = await post(fixture, `${NETTING}/facilities`, { subregion_id: subregion })
  const second_facility = await post(fixture, `${NETTING}/facilities`, { subregion_id: otherSubregion })
  const netting_group = await post(fixture, `${NETTING}/groups`, { name: unique('group') })
  const account = (facility_id: string) =>
    post(fixture, `${NETTING}/limits/accounts`, {
      ...{ facility_id, year: 2026, initial_limit_kwh: '1000.000', limit_source: 'customer_declaration' },
    })
  return {
    ...{ organization, facility, second_facility },
    netting_group,
    optimisation: await makeFinishedOptimisation(fixture, { groupId: netting_group, facilityId: facility }),
    scenario: await makeFinishedScenario(fixture, netting_group),
    sizing: await makeFinishedSizing(fixture, { groupId: netting_group, facilityId: facility }),
    hourly_forecast: await makeFinishedForecast(fixture, facility),
    scope: await post(fixture, `${NETTING}/scopes`, { name: unique('scope') }),
    limit_account: await account(facility),
    second_limit_account: await account(second_facility),
    metering_point: await post(fixture, `${NETTING}/facilities/${facility}/meters`, { meter_no: '1' }),
    osos_installation: await post(fixture, '/api/osos/installations', {
      ...{ installation_no: unique('installation'), measurement_role: 'main_consumption' },
    }),
  }
}

async function createLoto(fixture: ForeignFixture, subregion_id: string) {
  const { api, tenant } = fixture
  const loto_point = await post(fixture, '/api/loto/points', {
    ...{ name: unique('point'), subregion_id, location: 'hall 1' },
    ...{ energy_type: 'electrical', isolation_method: 'main switch off' },
  })
  const loto_session = await post(fixture, '/api/loto/sessions', {
    ...{ title: unique('work'), reason: 'a reason', point_ids: [loto_point] },
  })
  await api.call('POST', `/api/loto/sessions/${loto_session}/approve`, { token: tenant.admin.token })
  return { loto_point, loto_session }
}

async function createChargers(fixture: ForeignFixture) {
  const cpid = `CP-${randomUUID()}`
  const tag = randomBytes(10).toString('hex')
  return {
    ...{ cpid, tag },
    charger: await post(fixture, '/api/ocpp/chargers', { cpid }),
    id_tag: await post(fixture, '/api/ocpp/id-tags', { tag }),
  }
}

async function createRecords(fixture: ForeignFixture) {
  const sites = await createSites(fixture)
  const region_id = sites.region
  const other = await post(fixture, '/api/subregions', { name: unique('subregion'), region_id })
  const widget = await post(fixture, '/api/widgets', {
    ...{ subregion_id: sites.subregion, widget_type: 'alarm_summary', title: unique('widget') },
  })
  return {
    ...{ ...sites, widget },
    ...(await createEquipment(fixture, sites.subregion)),
    ...(await createRegistry(fixture, sites.subregion, other)),
    ...(await createLoto(fixture, sites.subregion)),
    ...(await createChargers(fixture)),
  }
}

/** Creates at least one record of every kind that a request can refer to. */
export async function createTenantRecords(fixture: ForeignFixture): Promise<TenantRecords> {
  const records = await createRecords(fixture)
  const made: Partial<Record<keyof typeof FACTORY_RECORDS, string>> = {}
  for (const [kind, resource] of Object.entries(FACTORY_RECORDS)) {
    const ids = await RECORD_FACTORIES[resource]?.(fixture)
    made[kind as keyof typeof FACTORY_RECORDS] = Object.values(ids ?? {}).at(-1) ?? ''
  }
  const session = await fixture.api.call('GET', `/api/ocpp/sessions/${made.charging_session}`, {
    token: fixture.tenant.admin.token,
  })
  const complete = made as Record<keyof typeof FACTORY_RECORDS, string>
  return { ...records, ...complete, session_charger: session.body.charger_id }
}
