import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clearChargerRecords } from '../../../src/areas/charging/index.ts'
import { recordBoot, recordEvent, recordStatus } from '../../../src/areas/charging/stations.ts'
import { inTenantTx, type TenantTx } from '../../../src/platform/db/tenant.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createCharger } from '../../support/field/ocpp.ts'
import { setUpDashboard } from '../../support/insight/widgets.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const CHARGERS = '/api/ocpp/chargers'
let api: TestApi
let ownTenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  ownTenant = await createTenant(api)
})
afterAll(() => api.close())

interface Rest {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
const as = (method: string, path: string, rest: Rest = {}) =>
  api.call(method, path, { token: ownTenant.admin.token, ...rest })
const inTx = <T>(work: (tx: TenantTx) => Promise<T>) =>
  inTenantTx(api.deps.database.kysely, ownTenant.id, work)
const at = (seconds: number) => new Date(api.clock.now() + seconds * 1000)

describe('reports of a station', () => {
  it("update the charger, and the newest status by the station's clock wins", async () => {
    const { subregionId } = await setUpDashboard(api, ownTenant)
    const charger = await createCharger(api, ownTenant, { vendor: 'ours', subregion_id: subregionId })
    const station = { chargerId: charger.id }
    const report = (connectorId: number, status: string, seconds: number, more: object = {}) =>
      inTx((tx) => recordStatus(tx, station, { connectorId, status, at: at(seconds), now: at(0), ...more }))
    const shown = async () => (await as('GET', `${CHARGERS}/${charger.id}`)).body
    await inTx((tx) =>
      recordBoot(tx, station, {
        vendor: 'theirs',
        model: 'M',
        firmwareVersion: '1.2.3',
        message: { chargePointVendor: 'theirs' },
        at: at(0),
      }),
    )
    expect(await shown()).toMatchObject({ vendor: 'ours', model: 'M', firmware_version: '1.2.3' })
    expect(await report(0, 'Available', -10)).toBe(true)
    expect(await shown()).toMatchObject({ status: 'Available', connectors: [] })
    await report(1, 'Available', -10)
    await report(2, 'Charging', -8)
    expect(await report(2, 'Available', -9)).toBe(false)
    expect(await shown()).toMatchObject({
      status: 'Charging',
      connectors: [
        { connector_id: 1, evse_connector_id: 1, device_id: charger.device_id, status: 'Available' },
        { connector_id: 2, status: 'Charging', error_code: null, status_at: at(-8).toISOString() },
      ],
    })
    const [, second] = (await shown()).connectors
    const device = await as('GET', `/api/devices/${second.device_id}`)
    expect(device.body).toMatchObject({
      name: `${charger.cpid} connector 2`,
      parent_id: charger.device_id,
      device_source: 'ocpp',
    })
    await report(0, 'Faulted', -5, { errorCode: 'GroundFailure', vendorErrorCode: 'E7', info: 'wet' })
    expect((await shown()).status).toBe('Faulted')
    expect((await as('GET', `${CHARGERS}?status=Faulted&search=cp-`)).body.items).toHaveLength(1)
    expect((await as('GET', `${CHARGERS}?is_online=true&search=${charger.cpid}`)).body.total).toBe(0)
    expect((await as('GET', `${CHARGERS}?search=%25`)).body.total).toBe(0)

    const map = await as('GET', `/api/measurements/map-data?subregion_id=${subregionId}`)
    expect(map.status).toBe(200)
    expect(map.text).toContain(charger.device_id)
    const tree = await as('GET', `/api/devices/${charger.device_id}/hierarchy`)
    expect(tree.status).toBe(200)
    expect(tree.text).toContain('connector 2')
  })

  it('are stored as one event, however often they are repeated', async () => {
    const charger = await createCharger(api, ownTenant)
    const station = { chargerId: charger.id }
    const event = { type: 'security', at: at(-3), details: { type: 'TamperDetectionActivated' }, now: at(0) }
    expect(await inTx((tx) => recordEvent(tx, station, event))).toBe('kept')
    expect(await inTx((tx) => recordEvent(tx, station, { ...event, now: at(9) }))).toBe('known')
    for (const _ of [1, 2])
      await inTx((tx) =>
        recordStatus(tx, station, { connectorId: 1, status: 'Preparing', at: at(-2), now: at(0) }),
      )
    const events = async (query = '') => (await as('GET', `${CHARGERS}/${charger.id}/events${query}`)).body
    expect(await events()).toMatchObject({
      total: 2,
      items: [
        { event_type: 'status', connector_id: 1, details: { status: 'Preparing' } },
        {
          event_type: 'security',
          connector_id: null,
          occurred_at: at(-3).toISOString(),
          details: { type: 'TamperDetectionActivated' },
        },
      ],
    })
    expect((await events('?event_type=security')).total).toBe(1)
    expect((await events(`?from=${at(-2).toISOString()}`)).total).toBe(1)
    expect((await events(`?to=${at(-2).toISOString()}&connector_id=1`)).total).toBe(0)
  })

  it('show the charger online while a socket holds it, and offline after its process was killed', async () => {
    const charger = await createCharger(api, ownTenant)
    const hold = (receivedAt: Date) =>
      api.deps.database.pool.query(
        'update charger set connection_id = $1, last_message_at = $2 where id = $3',
        [randomUUID(), receivedAt, charger.id],
      )
    const listed = async (isOnline: boolean) =>
      (await as('GET', `${CHARGERS}?cpid=${charger.cpid}&is_online=${isOnline}`)).body.total
    await hold(at(-199))
    expect([await listed(true), await listed(false)]).toEqual([1, 0])
    await hold(at(-200))
    expect([await listed(true), await listed(false)]).toEqual([0, 1])
    expect((await as('GET', `${CHARGERS}/${charger.id}`)).body.is_online).toBe(false)
  })

  it('are stored for 400 days, and so are commands', async () => {
    const charger = await createCharger(api, ownTenant)
    const path = `${CHARGERS}/${charger.id}`
    const day = 86_400
    for (const days of [-401, -399])
      await inTx((tx) =>
        recordEvent(tx, { chargerId: charger.id }, { type: `${days}`, at: at(0), now: at(days * day) }),
      )
    await api.deps.database.pool.query(
      `insert into charger_command (tenant_id, charger_id, action, request, state, created_at, ended_at, expires_at)
       select $1, $2, 'reset', '{}', 'expired', ended, ended, ended from unnest($3::timestamptz[]) ended`,
      [ownTenant.id, charger.id, [at(-401 * day), at(-399 * day)]],
    )
    await as('POST', `${path}/commands`, { body: { action: 'clear_cache' } })
    await clearChargerRecords(api.deps)
    expect((await as('GET', `${path}/events`)).body.items).toMatchObject([{ event_type: '-399' }])
    const { items } = (await as('GET', `${path}/commands`)).body
    expect(items.map(({ state }: { state: string }) => state)).toEqual(['pending', 'expired'])
  })

  it('do not change the ETag for If-Match', async () => {
    const charger = await createCharger(api, ownTenant)
    const path = `${CHARGERS}/${charger.id}`
    const etag = (await as('GET', path)).headers.get('etag') ?? ''
    const report = { connectorId: 1, status: 'Charging', at: at(0), now: at(0) }
    await inTx((tx) => recordStatus(tx, { chargerId: charger.id }, report))
    const write = () => as('PUT', path, { body: { name: 'renamed' }, headers: { 'If-Match': etag } })
    expect((await write()).status).toBe(200)
    expect((await write()).status).toBe(412)
  })

  it('create one device for a connector, however many concurrent messages name it', async () => {
    const charger = await createCharger(api, ownTenant, { name: 'crowded' })
    await Promise.all(
      [2, 2, 3, 2, 3, 1, 0].map((connectorId) =>
        inTx((tx) =>
          recordStatus(
            tx,
            { chargerId: charger.id },
            { connectorId, status: 'Available', at: at(0), now: at(0) },
          ),
        ),
      ),
    )
    const children = await as(
      'GET',
      `/api/devices?parent_id=${charger.device_id}&sort_by=name&sort_order=asc`,
    )
    expect(children.body.items.map(({ name }: { name: string }) => name)).toEqual([
      'crowded connector 2',
      'crowded connector 3',
    ])
  })
})
