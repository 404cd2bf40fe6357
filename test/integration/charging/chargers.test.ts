import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordStatus } from '../../../src/areas/charging/stations.ts'
import { inTenantTx, type TenantTx } from '../../../src/platform/db/tenant.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const CHARGERS = '/api/ocpp/chargers'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'
let api: TestApi
let ownTenant: TestTenant
let otherTenant: TestTenant
beforeAll(async () => {
  api = await startApi()
  ownTenant = await createTenant(api)
  otherTenant = await createTenant(api)
})
afterAll(() => api.close())

interface Rest {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly tenant?: TestTenant
}
const as = (method: string, path: string, { tenant = ownTenant, ...rest }: Rest = {}) =>
  api.call(method, path, { token: tenant.admin.token, ...rest })
const cpidOf = () => `CP-${randomUUID()}`
async function make(body: object = {}, tenant = ownTenant) {
  const response = await as('POST', CHARGERS, { body: { cpid: cpidOf(), ...body }, tenant })
  expect(response.status, response.text).toBe(201)
  return response.body
}
async function makeSubregion(tenant = ownTenant): Promise<string> {
  const region = await as('POST', '/api/regions', { tenant, body: { name: `region ${randomUUID()}` } })
  const body = { name: 'site', region_id: region.body.id }
  return (await as('POST', '/api/subregions', { tenant, body })).body.id
}
const inTx = <T>(work: (tx: TenantTx) => Promise<T>) =>
  inTenantTx(api.deps.database.kysely, ownTenant.id, work)
const at = (seconds: number) => new Date(api.clock.now() + seconds * 1000)

describe('charger', () => {
  it('is created with its device, and its password is returned once', async () => {
    const cpid = cpidOf()
    const body = { cpid, vendor: 'ABB', model: 'Terra AC', serial_number: 'S-1', name: 'Otopark 1' }
    const created = await as('POST', CHARGERS, { body, headers: { 'Idempotency-Key': randomUUID() } })
    expect(created.status).toBe(201)
    const { password, ...charger } = created.body
    expect(password).toMatch(/^[0-9a-f]{40}$/)
    expect(charger).toMatchObject({
      ...body,
      subregion_id: null,
      ocpp_version: null,
      status: null,
      connectors: [],
      is_online: false,
      last_heartbeat: null,
      firmware_version: null,
      security_profile: 0,
      has_pending_password: false,
    })
    expect((await as('GET', `${CHARGERS}/${charger.id}`)).body).toEqual(charger)
    const device = await as('GET', `/api/devices/${charger.device_id}`)
    expect(device.body).toMatchObject({
      name: 'Otopark 1',
      device_type: 'charger',
      device_role: 'charger',
      device_source: 'ocpp',
      subregion_id: null,
    })
    const { rows } = await api.deps.database.pool.query('select password_hash from charger where id = $1', [
      charger.id,
    ])
    expect(rows[0].password_hash).toMatch(/^quick\$20\$/)
  })

  it('requires the cpid only, and accepts null or an absent value for the rest', async () => {
    const created = await make({ vendor: null, model: '', serial_number: null, subregion_id: null })
    expect(created).toMatchObject({ name: created.cpid, vendor: null, model: '' })
  })

  it.each(['', '.', '..', 'a/b', 'a b', 'şarj', 'a'.repeat(101), 'a\u0000b', 7, null, undefined])(
    'is rejected with the cpid %j',
    async (cpid) => {
      const response = await as('POST', CHARGERS, { body: { cpid } })
      expect(response.status).toBe(422)
    },
  )

  it('has a cpid that is unique across tenants, also for concurrent requests', async () => {
    const cpid = cpidOf()
    const responses = await Promise.all(
      [ownTenant, otherTenant, ownTenant].map((tenant) => as('POST', CHARGERS, { tenant, body: { cpid } })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const refused = responses.filter(({ status }) => status === 409).map(({ body }) => body)
    expect(refused[0]).toMatchObject({
      detail: 'a charger with this cpid exists',
      error_code: 'DUPLICATE_ENTRY',
    })
    expect(refused[1]).toEqual(refused[0])
    const devices = await as('GET', `/api/devices?name=${cpid}`)
    expect(devices.body.total).toBeLessThanOrEqual(1)
  })

  it('is created once for one Idempotency-Key, and the stored response is encrypted', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { cpid: cpidOf() }
    const first = await as('POST', CHARGERS, { body, headers })
    const again = await as('POST', CHARGERS, { body, headers })
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replay')).toBe('true')
    expect((await as('POST', CHARGERS, { body: { cpid: cpidOf() }, headers })).status).toBe(422)
    const { rows } = await api.deps.database.pool.query(
      'select response_body, body_hash from idempotency_key where key = $1',
      [headers['Idempotency-Key']],
    )
    // A body may contain a password, so no plain hash of it is stored.
    expect(rows[0].body_hash).not.toEqual(createHash('sha256').update(JSON.stringify(body)).digest())
    expect(rows[0].response_body).not.toContain(first.body.password)
    expect(rows[0].response_body).toMatch(/^v1\./)
  })

  it('is read by a viewer and created by an operator', async () => {
    const viewer = { token: ownTenant.viewer.token }
    expect((await api.call('GET', CHARGERS, viewer)).status).toBe(200)
    expect((await api.call('POST', CHARGERS, { ...viewer, body: { cpid: cpidOf() } })).status).toBe(403)
    const operator = { token: ownTenant.operator.token, body: { cpid: cpidOf() } }
    expect((await api.call('POST', CHARGERS, operator)).status).toBe(201)
  })

  it('moves to a subregion together with its devices', async () => {
    const [first, second] = [await makeSubregion(), await makeSubregion()]
    const charger = await make({ subregion_id: first, name: 'placed' })
    const path = `${CHARGERS}/${charger.id}`
    await inTx((tx) =>
      recordStatus(tx, { chargerId: charger.id }, { connectorId: 2, status: 'Available', now: at(0) }),
    )
    const namesInSecond = async () =>
      (await as('GET', `/api/devices?subregion_id=${second}`)).body.items.map((d: { name: string }) => d.name)
    expect((await as('GET', `/api/devices/${charger.device_id}`)).body.subregion_id).toBe(first)
    const moved = await as('PUT', path, { body: { subregion_id: second, name: 'moved', vendor: 'Vestel' } })
    expect(moved.body).toMatchObject({ subregion_id: second, name: 'moved', vendor: 'Vestel' })
    expect((await namesInSecond()).sort()).toEqual(['moved', 'placed connector 2'])
    expect((await as('GET', `${CHARGERS}?subregion_id=${second}`)).body).toMatchObject({ total: 1 })
    const inUse = await as('DELETE', `/api/subregions/${second}`)
    expect([inUse.status, inUse.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    expect((await as('PUT', path, { body: {} })).body).toEqual((await as('GET', path)).body)
    expect((await as('PUT', path, { body: { subregion_id: null } })).body.subregion_id).toBeNull()
    expect(await namesInSecond()).toEqual([])
    expect((await as('DELETE', `/api/subregions/${second}`)).status).toBe(204)
    for (const subregion_id of [UNKNOWN, await makeSubregion(otherTenant)]) {
      const responses = [
        await as('POST', CHARGERS, { body: { cpid: cpidOf(), subregion_id } }),
        await as('PUT', path, { body: { subregion_id } }),
      ]
      for (const { status, body } of responses) {
        expect(status).toBe(422)
        expect(body).toMatchObject({ error_code: 'INVALID_REFERENCE' })
      }
    }
  })

  it('keeps its device, and the device keeps its source', async () => {
    const charger = await make()
    const path = `/api/devices/${charger.device_id}`
    expect((await as('DELETE', path)).status).toBe(409)
    const refused = await as('PUT', path, { body: { device_source: 'manual' } })
    expect([refused.status, refused.body.error_code]).toEqual([422, 'BUSINESS_RULE_VIOLATION'])
    const stored = await as('PUT', path, { body: { device_source: 'ocpp', offline_threshold_s: 60 } })
    expect(stored.body).toMatchObject({ device_source: 'ocpp', offline_threshold_s: 60 })
  })

  it('is deleted, and its cpid can be used again', async () => {
    const charger = await make()
    const path = `${CHARGERS}/${charger.id}`
    const command = await as('POST', `${path}/commands`, { body: { action: 'clear_cache' } })
    expect((await as('DELETE', path)).status).toBe(204)
    expect((await as('GET', path)).status).toBe(404)
    expect((await as('DELETE', path)).status).toBe(404)
    expect((await as('PUT', path, { body: { name: 'x' } })).status).toBe(404)
    expect((await as('POST', `${path}/password`, { body: {} })).status).toBe(404)
    expect((await as('GET', `${path}/events`)).status).toBe(404)
    expect((await as('GET', `${path}/commands/${command.body.id}`)).status).toBe(404)
    expect((await as('GET', `/api/devices/${charger.device_id}`)).status).toBe(200)
    expect((await make({ cpid: charger.cpid })).id).not.toBe(charger.id)
    const { rows } = await api.deps.database.pool.query('select state from charger_command where id = $1', [
      command.body.id,
    ])
    expect(rows).toEqual([{ state: 'cancelled' }])
  })

  it('is not deleted during an active session', async () => {
    const charger = await make()
    await api.deps.database.pool.query(
      `insert into charging_session (tenant_id, charger_id, connector_id, device_id, authorization_status, started_at,
         created_at, updated_at) values ($1, $2, 1, $3, 'accepted', $4, $4, $4)`,
      [ownTenant.id, charger.id, charger.device_id, at(0)],
    )
    const response = await as('DELETE', `${CHARGERS}/${charger.id}`)
    expect([response.status, response.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
  })

  it('of another tenant is answered like an unknown one', async () => {
    const charger = await make({}, otherTenant)
    expect((await as('GET', `${CHARGERS}?cpid=${charger.cpid}`)).body.total).toBe(0)
    const [foreign, unknown] = [
      await as('GET', `${CHARGERS}/${charger.id}`),
      await as('GET', `${CHARGERS}/${UNKNOWN}`),
    ]
    expect(foreign.text).toBe(unknown.text)
  })
})

describe('password of a charger', () => {
  it('is changed to one that the operator sends, which is not returned', async () => {
    const charger = await make()
    const rotate = (body: object) => as('POST', `${CHARGERS}/${charger.id}/password`, { body })
    const created = await rotate({})
    expect(created.body).toEqual({
      password: expect.stringMatching(/^[0-9a-f]{40}$/),
      has_pending_password: false,
      command: null,
    })
    expect(created.body.password).not.toBe(charger.password)
    const named = await rotate({ password: 'A-named-passw0rd' })
    expect(named.body).toEqual({ password: null, has_pending_password: false, command: null })
    const stored = async () =>
      (await api.deps.database.pool.query('select password_hash from charger where id = $1', [charger.id]))
        .rows[0].password_hash
    expect(await stored()).toMatch(/^slow\$16\$[A-Za-z0-9+/]{43}=\$pbkdf2_sha256\$/)
    for (const password of ['short', 'a'.repeat(41), 'with a blank in it', 'şifreşifreşifreşifre'])
      expect((await rotate({ password })).status).toBe(422)
    expect((await make({ password: 'A-named-passw0rd' })).password).toBeNull()
  })

  it('that is sent to the station is pending while the old one is valid, and is never returned', async () => {
    const charger = await make()
    const path = `${CHARGERS}/${charger.id}`
    const pushed = await as('POST', `${path}/password`, { body: { push: true, expires_in_s: 60 } })
    expect(pushed.body).toMatchObject({
      has_pending_password: true,
      command: { action: 'set_password', state: 'pending', request: {} },
    })
    expect((await as('GET', path)).body.has_pending_password).toBe(true)
    const { id } = pushed.body.command
    for (const shown of [`${path}/commands`, `${path}/commands/${id}`]) {
      const { text } = await as('GET', shown)
      expect(text).not.toContain('sealed')
      expect(text).not.toContain(pushed.body.password)
    }
    const dump = await api.deps.database.pool.query(
      'select request::text from charger_command where id = $1',
      [id],
    )
    expect(dump.rows[0].request).not.toContain(pushed.body.password)
    const other = await as('POST', `${path}/password`, { body: { push: true } })
    expect((await as('GET', `${path}/commands/${id}`)).body.state).toBe('cancelled')
    await as('POST', `${path}/commands/${other.body.command.id}/cancel`)
    expect((await as('GET', path)).body.has_pending_password).toBe(false)
    const after = await api.deps.database.pool.query(
      'select request::text, next_password_hash from charger_command n ' +
        'join charger c on c.tenant_id = n.tenant_id and c.id = n.charger_id where c.id = $1',
      [charger.id],
    )
    expect(after.rows).toEqual([
      { request: '{}', next_password_hash: null },
      { request: '{}', next_password_hash: null },
    ])
  })
})
