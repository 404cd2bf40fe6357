import { randomUUID } from 'node:crypto'
import { createRPCError } from 'ocpp-rpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApi } from '../support/api.ts'
import { createPoint, lotoCalls, lotoWorld } from '../support/loto.ts'
import {
  connectStation,
  createCharger,
  type StationOptions,
  startOcppApi,
  type TestCharger,
} from '../support/ocpp.ts'
import { createTenant, type TestTenant } from '../support/tenants.ts'
import { waitFor } from '../support/wait-for.ts'

const CHARGERS = '/api/ocpp/chargers'
const WAIT = '?wait=30'
let api: TestApi
let ours: TestTenant
beforeAll(async () => {
  api = await startOcppApi()
  ours = await createTenant(api)
})
afterAll(() => api.close())

interface Rest {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
const as = (method: string, path: string, rest: Rest = {}) =>
  api.call(method, CHARGERS + path, { token: ours.operator.token, ...rest })
const order = ({ id }: TestCharger, body: object, query = '') =>
  as('POST', `/${id}/commands${query}`, { body })
const stateOf = async ({ id }: TestCharger, command: string) =>
  (await as('GET', `/${id}/commands/${command}`)).body.state

async function connected(options: StationOptions = {}) {
  const charger = await createCharger(api, ours)
  return { charger, station: await connectStation(api, charger, options) }
}

/** Starts a session as the database has it. */
async function startSession(charger: TestCharger, transaction: string | null = null) {
  const { rows } = await api.deps.database.pool.query(
    `insert into charging_session (tenant_id, charger_id, ocpp_transaction_id, connector_id, device_id, authorization_status,
       started_at, created_at, updated_at) values ($1, $2, $3, 1, $4, 'accepted', $5, $5, $5)
     returning id, transaction_number`,
    [ours.id, charger.id, transaction, charger.device_id, new Date(api.clock.now())],
  )
  return rows[0] as { id: string; transaction_number: number }
}

type Case = readonly [body: object, action: string, payload: object, answer: object, state: string]

const IN_16: readonly Case[] = [
  [
    { action: 'remote_start', id_tag: 'TAG' },
    'RemoteStartTransaction',
    { idTag: 'TAG' },
    { status: 'Accepted' },
    'accepted',
  ],
  [
    { action: 'remote_start', id_tag: 'TAG', connector_id: 2 },
    'RemoteStartTransaction',
    { idTag: 'TAG', connectorId: 2 },
    { status: 'Rejected' },
    'rejected',
  ],
  [
    { action: 'remote_stop', transaction_id: 17 },
    'RemoteStopTransaction',
    { transactionId: 17 },
    { status: 'Rejected' },
    'rejected',
  ],
  [{ action: 'reset' }, 'Reset', { type: 'Soft' }, { status: 'Accepted' }, 'accepted'],
  [{ action: 'reset', type: 'hard' }, 'Reset', { type: 'Hard' }, { status: 'Rejected' }, 'rejected'],
  [
    { action: 'unlock', connector_id: 1 },
    'UnlockConnector',
    { connectorId: 1 },
    { status: 'Unlocked' },
    'accepted',
  ],
  [
    { action: 'unlock', connector_id: 9 },
    'UnlockConnector',
    { connectorId: 9 },
    { status: 'NotSupported' },
    'rejected',
  ],
  [
    { action: 'change_availability', type: 'inoperative' },
    'ChangeAvailability',
    { connectorId: 0, type: 'Inoperative' },
    { status: 'Scheduled' },
    'accepted',
  ],
  [
    { action: 'change_availability', type: 'operative', connector_id: 1 },
    'ChangeAvailability',
    { connectorId: 1, type: 'Operative' },
    { status: 'Rejected' },
    'rejected',
  ],
  [
    { action: 'get_configuration' },
    'GetConfiguration',
    {},
    { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }], unknownKey: [] },
    'accepted',
  ],
  [
    { action: 'get_configuration', keys: ['SupportedFeatureProfiles', 'Nonsense'] },
    'GetConfiguration',
    { key: ['SupportedFeatureProfiles', 'Nonsense'] },
    { unknownKey: ['Nonsense'] },
    'accepted',
  ],
  [
    { action: 'set_configuration', key: 'MeterValueSampleInterval', value: '10' },
    'ChangeConfiguration',
    { key: 'MeterValueSampleInterval', value: '10' },
    { status: 'RebootRequired' },
    'accepted',
  ],
  [
    { action: 'set_configuration', key: 'Nonsense', value: '' },
    'ChangeConfiguration',
    { key: 'Nonsense', value: '' },
    { status: 'NotSupported' },
    'rejected',
  ],
  [{ action: 'clear_cache' }, 'ClearCache', {}, { status: 'Accepted' }, 'accepted'],
  [
    { action: 'trigger_message', message: 'meter_values', connector_id: 1 },
    'TriggerMessage',
    { requestedMessage: 'MeterValues', connectorId: 1 },
    { status: 'NotImplemented' },
    'rejected',
  ],
  [
    { action: 'data_transfer', vendor_id: 'tr.example', message_id: 'm', data: { a: [1, 'ş'] } },
    'DataTransfer',
    { vendorId: 'tr.example', messageId: 'm', data: '{"a":[1,"ş"]}' },
    { status: 'Accepted', data: 'text' },
    'accepted',
  ],
]

const IN_201: readonly Case[] = [
  [
    { action: 'remote_start', id_tag: 'TAG', connector_id: 2 },
    'RequestStartTransaction',
    { idToken: { idToken: 'TAG', type: 'ISO14443' }, evseId: 2, remoteStartId: expect.any(Number) },
    { status: 'Accepted' },
    'accepted',
  ],
  [
    { action: 'remote_stop', transaction_id: 'a-b-c' },
    'RequestStopTransaction',
    { transactionId: 'a-b-c' },
    { status: 'Accepted' },
    'accepted',
  ],
  [{ action: 'reset' }, 'Reset', { type: 'OnIdle' }, { status: 'Scheduled' }, 'accepted'],
  [
    { action: 'unlock', connector_id: 1 },
    'UnlockConnector',
    { evseId: 1, connectorId: 1 },
    { status: 'OngoingAuthorizedTransaction' },
    'rejected',
  ],
  [
    { action: 'change_availability', type: 'inoperative', connector_id: 2 },
    'ChangeAvailability',
    { operationalStatus: 'Inoperative', evse: { id: 2 } },
    { status: 'Accepted' },
    'accepted',
  ],
  [
    { action: 'set_configuration', key: 'OCPPCommCtrlr.HeartbeatInterval', value: '60' },
    'SetVariables',
    {
      setVariableData: [
        {
          component: { name: 'OCPPCommCtrlr' },
          variable: { name: 'HeartbeatInterval' },
          attributeValue: '60',
        },
      ],
    },
    {
      setVariableResult: [
        {
          attributeStatus: 'Rejected',
          component: { name: 'OCPPCommCtrlr' },
          variable: { name: 'HeartbeatInterval' },
        },
      ],
    },
    'rejected',
  ],
  [{ action: 'clear_cache' }, 'ClearCache', {}, { status: 'Rejected' }, 'rejected'],
  [
    { action: 'get_base_report', report: 'summary' },
    'GetBaseReport',
    { requestId: expect.any(Number), reportBase: 'SummaryInventory' },
    { status: 'Accepted' },
    'accepted',
  ],
]

describe.each([
  ['1.6', IN_16],
  ['2.0.1', IN_201],
] as const)('a command to a station of OCPP %s', (version, cases) => {
  it('is said in its words, and ends with its answer', async () => {
    const { charger, station } = await connected({ version })
    for (const [body, action, payload, answer, state] of cases) {
      station.onCall(action, () => answer)
      const made = await order(charger, body, WAIT)
      expect(made.status, made.text).toBe(202)
      expect(station.called.at(-1)).toEqual({ action, payload })
      const { action: ours_, ...request } = body as { action: string }
      expect(made.body).toMatchObject({ action: ours_, request, state, answer, error: null })
      expect(made.body.sent_at).not.toBeNull()
      expect((await as('GET', `/${charger.id}/commands/${made.body.id}`)).body).toEqual(made.body)
    }
    const listed = await as('GET', `/${charger.id}/commands?limit=100`)
    expect(listed.body.total).toBe(cases.length)
    const numbers = listed.body.items.map(({ number }: { number: number }) => number)
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => b - a))
    await station.end()
  })

  it('fails with the error of the station, and where its version has no such command', async () => {
    const { charger, station } = await connected({ version })
    station.onCall('ClearCache', () => {
      throw createRPCError('NotSupported', 'no cache here')
    })
    const refused = await order(charger, { action: 'clear_cache' }, WAIT)
    expect(refused.body).toMatchObject({ state: 'failed', answer: null })
    expect(refused.body.error).toMatch(/^NotSupported/)
    const missing = { '1.6': { action: 'get_base_report' }, '2.0.1': { action: 'get_configuration' } }
    const failed = await order(charger, missing[version], WAIT)
    expect(failed.body).toMatchObject({ state: 'failed', answer: null })
    expect(failed.body.error).toContain(`OCPP ${version}`)
    expect(station.called).toHaveLength(1)
    await station.end()
  })
})

describe('a command', () => {
  it('waits for its station, and is sent in its turn, one at a time', async () => {
    const charger = await createCharger(api, ours)
    const words = ['one', 'two', 'three']
    const ids: string[] = []
    for (const vendor_id of words) {
      const made = await order(charger, { action: 'data_transfer', vendor_id })
      expect(made.body).toMatchObject({ state: 'pending', sent_at: null, answer: null })
      ids.push(made.body.id)
    }
    expect((await order(charger, { action: 'clear_cache' }, '?wait=1')).body.state).toBe('pending')
    const station = await connectStation(api, charger)
    let open = 0
    station.onCall('DataTransfer', async () => {
      open += 1
      expect(open).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      open -= 1
      return { status: 'Accepted' }
    })
    station.onCall('ClearCache', () => ({ status: 'Accepted' }))
    await waitFor(async () => (await stateOf(charger, ids[2] ?? '')) === 'accepted', 30_000)
    await waitFor(() => station.called.length === 4, 30_000)
    expect(station.called.slice(0, 3).map(({ payload }) => payload.vendorId)).toEqual(words)
    await station.end()
  })

  it('expires when its station was not connected in time', async () => {
    const charger = await createCharger(api, ours)
    const made = await order(charger, { action: 'clear_cache', expires_in_s: 1 })
    api.clock.advance(1000)
    await waitFor(async () => (await stateOf(charger, made.body.id)) === 'expired', 30_000)
    const station = await connectStation(api, charger)
    station.onCall('ClearCache', () => ({ status: 'Accepted' }))
    expect((await order(charger, { action: 'clear_cache' }, WAIT)).body.state).toBe('accepted')
    expect(station.called).toHaveLength(1)
    await station.end()
  })

  it('times out when the connection ends before its answer', async () => {
    const { charger, station } = await connected()
    station.onCall('Reset', () => new Promise(() => {}))
    const made = await order(charger, { action: 'reset' })
    await waitFor(() => station.called.length === 1, 30_000)
    expect(await stateOf(charger, made.body.id)).toBe('sent')
    await station.end()
    await waitFor(async () => (await stateOf(charger, made.body.id)) === 'timed_out', 30_000)
  })

  it('is cancelled while it waits, and no more when it was sent', async () => {
    const { charger, station } = await connected()
    let answer = (_: object): void => {}
    station.onCall('Reset', () => new Promise((resolve) => (answer = resolve)))
    station.onCall('ClearCache', () => ({ status: 'Accepted' }))
    const sent = await order(charger, { action: 'reset' })
    await waitFor(() => station.called.length === 1, 30_000)
    const waiting = await order(charger, { action: 'clear_cache' })
    const cancel = (id: string) => as('POST', `/${charger.id}/commands/${id}/cancel`)
    const refused = await cancel(sent.body.id)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    expect((await cancel(waiting.body.id)).body).toMatchObject({ state: 'cancelled', sent_at: null })
    expect((await cancel(waiting.body.id)).status).toBe(409)
    answer({ status: 'Accepted' })
    await waitFor(async () => (await stateOf(charger, sent.body.id)) === 'accepted', 30_000)
    expect((await cancel(sent.body.id)).status).toBe(409)
    const other = await createCharger(api, ours)
    expect((await as('GET', `/${other.id}/commands/${sent.body.id}`)).status).toBe(404)
    expect((await as('POST', `/${other.id}/commands/${sent.body.id}/cancel`)).status).toBe(404)
    await station.end()
  })

  it('is placed once for one Idempotency-Key', async () => {
    const charger = await createCharger(api, ours)
    const rest = { body: { action: 'clear_cache' }, headers: { 'Idempotency-Key': randomUUID() } }
    const first = await as('POST', `/${charger.id}/commands`, rest)
    expect((await as('POST', `/${charger.id}/commands`, rest)).text).toBe(first.text)
    expect((await as('GET', `/${charger.id}/commands`)).body.total).toBe(1)
  })

  it.each([
    [{}, 'action'],
    [{ action: 'dance' }, 'action'],
    [{ action: 'set_password' }, 'action'],
    [{ action: 'remote_start' }, 'id_tag'],
    [{ action: 'remote_start', id_tag: 'x'.repeat(37) }, 'id_tag'],
    [{ action: 'remote_start', id_tag: 'x', connector_id: 0 }, 'connector_id'],
    [{ action: 'remote_stop' }, 'session_id'],
    [{ action: 'remote_stop', session_id: 'x' }, 'session_id'],
    [{ action: 'reset', type: 'operative' }, 'type'],
    [{ action: 'unlock' }, 'connector_id'],
    [{ action: 'change_availability' }, 'type'],
    [{ action: 'get_configuration', keys: 'x' }, 'keys'],
    [{ action: 'set_configuration', key: 'x', value: 5 }, 'value'],
    [{ action: 'trigger_message', message: 'Heartbeat' }, 'message'],
    [{ action: 'data_transfer' }, 'vendor_id'],
    [{ action: 'clear_cache', expires_in_s: 0 }, 'expires_in_s'],
  ])('is refused with the field that is wrong: %j', async (body, field) => {
    const charger = await createCharger(api, ours)
    const answer = await order(charger, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toContain(`body.${field}`)
  })

  it('keeps nothing that its action does not take', async () => {
    const charger = await createCharger(api, ours)
    const made = await order(charger, { action: 'reset', type: 'hard', connector_id: 4, password: 'x' })
    expect(made.body.request).toEqual({ type: 'hard' })
  })

  it('is not taken while a hundred wait', async () => {
    const charger = await createCharger(api, ours)
    await api.deps.database.pool.query(
      `insert into charger_command (tenant_id, charger_id, action, request, created_at, expires_at)
       select $1, $2, 'clear_cache', '{}', $3, $3::timestamptz + interval '1 hour' from generate_series(1, 100)`,
      [ours.id, charger.id, new Date(api.clock.now())],
    )
    const answer = await order(charger, { action: 'clear_cache' })
    expect([answer.status, answer.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    await as('DELETE', `/${charger.id}`)
  })

  it("is an operator's to place and a viewer's to read", async () => {
    const charger = await createCharger(api, ours)
    const path = `${CHARGERS}/${charger.id}/commands`
    const viewer = { token: ours.viewer.token }
    expect((await api.call('GET', path, viewer)).status).toBe(200)
    expect((await api.call('POST', path, { ...viewer, body: { action: 'reset' } })).status).toBe(403)
  })

  it.each([
    ['1.6', null],
    ['2.0.1', 'station-made-id'],
  ] as const)('stops a session of OCPP %s by our id', async (version, transaction) => {
    const { charger, station } = await connected({ version })
    const session = await startSession(charger, transaction)
    const action = version === '1.6' ? 'RemoteStopTransaction' : 'RequestStopTransaction'
    station.onCall(action, () => ({ status: 'Accepted' }))
    const made = await order(charger, { action: 'remote_stop', session_id: session.id }, WAIT)
    const transactionId = transaction ?? session.transaction_number
    expect(made.body).toMatchObject({
      state: 'accepted',
      request: { session_id: session.id, transaction_id: transactionId },
    })
    expect(station.called).toEqual([{ action, payload: { transactionId } }])
    const other = await createCharger(api, ours)
    const stranger = await order(other, { action: 'remote_stop', session_id: session.id })
    expect(stranger.body).toMatchObject({ error_code: 'INVALID_REFERENCE' })
    await api.deps.database.pool.query(
      "update charging_session set state = 'ended', ended_at = started_at where id = $1",
      [session.id],
    )
    const over = await order(charger, { action: 'remote_stop', session_id: session.id })
    expect([over.status, over.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    await station.end()
  })
})

describe('a connected charger', () => {
  it('is listed online with its last heartbeat, until its socket closes', async () => {
    const { charger, station } = await connected()
    await station.call('BootNotification', { chargePointVendor: 'Vestel', chargePointModel: 'EVC04' })
    await station.call('Heartbeat')
    const listed = async () => (await as('GET', `?cpid=${charger.cpid}`)).body.items[0]
    await waitFor(async () => (await listed()).last_heartbeat !== null, 30_000)
    expect(await listed()).toMatchObject({
      is_online: true,
      ocpp_version: '1.6',
      vendor: 'Vestel',
      model: 'EVC04',
      last_heartbeat: new Date(api.clock.now()).toISOString(),
    })
    await station.end()
    await waitFor(async () => !(await listed()).is_online, 30_000)
    expect((await listed()).disconnected_at).not.toBeNull()
  })
})

describe('while people are at work on a charger', () => {
  const MOVING = [
    { action: 'remote_start', id_tag: 'TAG' },
    { action: 'remote_start', id_tag: 'TAG', connector_id: 1 },
    { action: 'reset' },
    { action: 'unlock', connector_id: 1 },
    { action: 'change_availability', type: 'operative' },
  ]
  const HARMLESS = [
    { action: 'remote_stop', transaction_id: 1 },
    { action: 'change_availability', type: 'inoperative' },
    { action: 'get_configuration' },
    { action: 'trigger_message', message: 'heartbeat' },
  ]

  async function lockedOut() {
    const charger = await createCharger(api, ours)
    const world = await lotoWorld(api, ours)
    const calls = lotoCalls(world)
    const lockOut = async (device_id: string) =>
      calls.inStatus('applied', [await createPoint(world, { device_id, name: randomUUID() })])
    return { charger, lockOut, release: (session: string) => calls.move(session, 'release') }
  }

  it('it is not set going, and can always be stopped', async () => {
    const { charger, lockOut, release } = await lockedOut()
    const session = await lockOut(charger.device_id)
    for (const body of MOVING) {
      const answer = await order(charger, body)
      expect(answer.status, JSON.stringify(body)).toBe(409)
      expect(answer.body).toMatchObject({ error_code: 'LOTO_LOCKED_OUT', device_ids: [charger.device_id] })
    }
    for (const body of HARMLESS) expect((await order(charger, body)).status).toBe(202)
    expect((await release(session)).status).toBe(200)
    for (const body of MOVING) expect((await order(charger, body)).status).toBe(202)
  })

  it('only what may set the connector going is refused where one connector is worked on', async () => {
    const { charger, lockOut } = await lockedOut()
    const station = await connectStation(api, charger)
    await station.call('BootNotification', { chargePointVendor: 'v', chargePointModel: 'm' })
    const status = { connectorId: 2, errorCode: 'NoError', status: 'Available' }
    await station.call('StatusNotification', {
      ...status,
      timestamp: new Date(api.clock.now()).toISOString(),
    })
    const { connectors } = (await as('GET', `/${charger.id}`)).body
    await lockOut(connectors[0].device_id)
    station.onCall('RemoteStartTransaction', () => ({ status: 'Accepted' }))
    const start = (rest: object) => order(charger, { action: 'remote_start', id_tag: 'TAG', ...rest }, WAIT)
    expect((await start({ connector_id: 2 })).status).toBe(409)
    expect((await start({})).status).toBe(409)
    expect((await start({ connector_id: 1 })).body.state).toBe('accepted')
    await station.end()
  })

  it('a command that waits already is not sent', async () => {
    const { charger, lockOut } = await lockedOut()
    const waiting = await order(charger, { action: 'remote_start', id_tag: 'TAG' })
    const harmless = await order(charger, { action: 'clear_cache' })
    await lockOut(charger.device_id)
    const station = await connectStation(api, charger)
    station.onCall('ClearCache', () => ({ status: 'Accepted' }))
    await waitFor(async () => (await stateOf(charger, harmless.body.id)) === 'accepted', 30_000)
    expect((await as('GET', `/${charger.id}/commands/${waiting.body.id}`)).body).toMatchObject({
      state: 'cancelled',
      error: 'LOTO_LOCKED_OUT',
      sent_at: null,
    })
    expect(station.called.map(({ action }) => action)).toEqual(['ClearCache'])
    await station.end()
  })
})

describe('the password of a station', () => {
  const push = (charger: TestCharger, body: object = {}) =>
    as('POST', `/${charger.id}/password`, { body: { push: true, ...body } })
  const canConnect = async (charger: TestCharger, password: string | Buffer) => {
    try {
      await (await connectStation(api, charger, { password })).end()
      return true
    } catch {
      return false
    }
  }

  it('is taken by the station, which signs in with its bytes from then on', async () => {
    const { charger, station } = await connected()
    station.onCall('ChangeConfiguration', () => ({ status: 'Accepted' }))
    const { body } = await push(charger)
    await waitFor(async () => (await stateOf(charger, body.command.id)) === 'accepted', 30_000)
    expect(station.called).toEqual([
      { action: 'ChangeConfiguration', payload: { key: 'AuthorizationKey', value: body.password } },
    ])
    expect((await as('GET', `/${charger.id}`)).body.has_pending_password).toBe(false)
    await station.end()
    expect(await canConnect(charger, Buffer.from(body.password, 'hex'))).toBe(true)
    expect(await canConnect(charger, body.password)).toBe(true)
    expect(await canConnect(charger, charger.password)).toBe(false)
  })

  it('stays when the station refuses the new one', async () => {
    const { charger, station } = await connected({ version: '2.0.1' })
    station.onCall('SetVariables', ({ setVariableData: [{ component, variable }] }) => ({
      setVariableResult: [{ attributeStatus: 'Rejected', component, variable }],
    }))
    const { body } = await push(charger, { password: 'A-named-passw0rd' })
    await waitFor(async () => (await stateOf(charger, body.command.id)) === 'rejected', 30_000)
    expect(station.called[0]?.payload.setVariableData).toEqual([
      {
        component: { name: 'SecurityCtrlr' },
        variable: { name: 'BasicAuthPassword' },
        attributeValue: 'A-named-passw0rd',
      },
    ])
    await station.end()
    expect(await canConnect(charger, 'A-named-passw0rd')).toBe(false)
    expect(await canConnect(charger, charger.password)).toBe(true)
  })

  it('stays when the new one was sealed with a key that is lost, and what comes after is sent', async () => {
    const charger = await createCharger(api, ours)
    const { body } = await push(charger)
    const next = await order(charger, { action: 'clear_cache' })
    await api.deps.database.pool.query(
      `update charger_command set request = '{"sealed": "v1.00000000.AAAA"}' where id = $1`,
      [body.command.id],
    )
    const station = await connectStation(api, charger)
    station.onCall('ClearCache', () => ({ status: 'Accepted' }))
    await waitFor(async () => (await stateOf(charger, next.body.id)) === 'accepted', 30_000)
    const ended = await as('GET', `/${charger.id}/commands/${body.command.id}`)
    expect(ended.body).toMatchObject({ state: 'cancelled', error: 'encryption_misconfigured' })
    expect((await as('GET', `/${charger.id}`)).body.has_pending_password).toBe(false)
    await station.end()
  })

  it('may be the old or the new one while nobody knows, and is the new one once it was used', async () => {
    const { charger, station } = await connected()
    station.onCall('ChangeConfiguration', () => new Promise(() => {}))
    const { body } = await push(charger)
    await waitFor(() => station.called.length === 1, 30_000)
    const busy = await push(charger)
    expect([busy.status, busy.body.error_code]).toEqual([409, 'STATE_CONFLICT'])
    await station.end()
    await waitFor(async () => (await stateOf(charger, body.command.id)) === 'timed_out', 30_000)
    expect(await canConnect(charger, charger.password)).toBe(true)
    expect((await as('GET', `/${charger.id}`)).body.has_pending_password).toBe(true)
    expect(await canConnect(charger, body.password)).toBe(true)
    expect(await canConnect(charger, charger.password)).toBe(false)
    expect((await as('GET', `/${charger.id}`)).body.has_pending_password).toBe(false)
  })

  it('that is changed at once closes the socket, and so does taking the charger out of service', async () => {
    const { charger, station } = await connected()
    const { body } = await as('POST', `/${charger.id}/password`, { body: {} })
    await station.closed()
    expect(await canConnect(charger, charger.password)).toBe(false)
    const again = await connectStation(api, charger, { password: body.password })
    await waitFor(async () => (await as('GET', `/${charger.id}`)).body.is_online, 30_000)
    expect((await as('DELETE', `/${charger.id}`)).status).toBe(204)
    await again.closed()
    expect(await canConnect(charger, body.password)).toBe(false)
  })
})
