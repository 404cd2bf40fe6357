import { expect } from 'vitest'
import type { ApiOptions, TestApi } from '../../../support/api.ts'
import { makeTag } from '../../../support/charging/charging.ts'
import { smartCalls } from '../../../support/charging/smart-charging.ts'
import {
  connectStation,
  createCharger,
  type StationOptions,
  startOcppApi,
  type TestCharger,
  type TestStation,
} from '../../../support/field/ocpp.ts'
import type { Json } from '../../../support/json.ts'
import { createTenant, type TestTenant } from '../../../support/tenants.ts'

export const NOW = '2026-11-20T09:30:00Z'
export const ACCEPTED = { status: 'Accepted' }
export const REJECTED = { status: 'Rejected' }
const BOOT = { chargePointVendor: 'Vendor', chargePointModel: 'Model' }

type Login = Pick<TestCharger, 'cpid' | 'password'>
type Response = object | ((payload: Json) => object | Promise<object>)

/** The service and an operator of chargers. */
export interface Operator extends ReturnType<typeof smartCalls> {
  readonly api: TestApi
  readonly tenant: TestTenant
  /** A charger whose station has not connected yet; it is disconnected with the service. */
  createStation(fields?: Readonly<Record<string, unknown>>): Promise<StationFixture>
  /** A charger whose station is connected. */
  openStation(fields?: Readonly<Record<string, unknown>>): Promise<StationFixture>
  close(): Promise<void>
}

export async function startCases(options: ApiOptions = {}): Promise<Operator> {
  const api = await startOcppApi({ now: NOW, ...options })
  const tenant = await createTenant(api)
  const operator = { api, tenant, ...smartCalls(api, tenant) }
  const fixtures: StationFixture[] = []
  async function create(fields: Readonly<Record<string, unknown>> = {}) {
    const charger = await createCharger(api, tenant, fields)
    const { tag } = await makeTag(api, tenant)
    const fixture = new StationFixture(operator, charger, tag)
    fixtures.push(fixture)
    return fixture
  }
  return {
    ...operator,
    createStation: create,
    async openStation(fields) {
      const fixture = await create(fields)
      await fixture.connect()
      return fixture
    },
    async close() {
      for (const fixture of fixtures) await fixture.disconnect()
      await api.close()
    },
  }
}

/** One charging station of a case: its actions, the calls that it receives, and what the API shows of it. */
export class StationFixture {
  station: TestStation | undefined
  readonly operator: Pick<Operator, 'api' | 'call' | 'get' | 'post' | 'until'>
  readonly charger: TestCharger
  /** A tag that may charge. */
  readonly tag: string

  constructor(operator: StationFixture['operator'], charger: TestCharger, tag: string) {
    this.operator = operator
    this.charger = charger
    this.tag = tag
  }

  // Actions of the station.

  async connect(options: StationOptions = {}, login: Login = this.charger): Promise<void> {
    this.station = await connectStation(this.operator.api, login, options)
  }
  async disconnect(): Promise<void> {
    await this.station?.end()
    this.station = undefined
  }
  /** The open socket. */
  get socket(): TestStation {
    if (!this.station) throw new Error('the station is not connected')
    return this.station
  }
  call(action: string, payload: object = {}): Promise<Json> {
    return this.socket.call(action, payload)
  }
  async status(status: string, connectorId = 1, errorCode = 'NoError'): Promise<void> {
    const message = { connectorId, status, errorCode, timestamp: this.now() }
    expect(await this.call('StatusNotification', message)).toEqual({})
  }
  /** Boots: sends its identity and the status of its connectors. */
  async boot(more: object = {}): Promise<void> {
    const response = await this.call('BootNotification', { ...BOOT, ...more })
    expect(response).toEqual({ ...ACCEPTED, currentTime: this.now(), interval: 300 })
    for (const connectorId of [0, 1]) await this.status('Available', connectorId)
    expect(await this.call('Heartbeat')).toEqual({ currentTime: this.now() })
  }
  /** Disconnects and boots again. */
  async reboot(more: object = {}, options: StationOptions = {}): Promise<void> {
    await this.disconnect()
    await this.connect(options)
    await this.boot(more)
    const now = new Date(this.operator.api.clock.now()).toISOString()
    expect(await this.readCharger()).toMatchObject({ is_online: true, booted_at: now })
  }
  /** Authorizes a valid tag. */
  async authorize(idTag = this.tag): Promise<void> {
    expect(await this.call('Authorize', { idTag })).toEqual({ idTagInfo: ACCEPTED })
  }
  /** Starts a session; resolves with its transaction. */
  async start(more: object = {}): Promise<number> {
    const start = { connectorId: 1, idTag: this.tag, meterStart: 1_000, timestamp: this.now() }
    const { transactionId, idTagInfo } = await this.call('StartTransaction', { ...start, ...more })
    expect([transactionId, idTagInfo.status]).toEqual([expect.any(Number), 'Accepted'])
    await this.status('Charging')
    expect((await this.session(transactionId)).state).toBe('active')
    expect(await this.readConnector()).toMatchObject({ status: 'Charging' })
    return transactionId
  }
  /** Ends the session with 5 kWh and makes the connector available. */
  async stop(transactionId: number, reason: string, idTag = this.tag): Promise<void> {
    const end = { transactionId, idTag, meterStop: 6_000, timestamp: this.now(), reason }
    expect((await this.call('StopTransaction', end)).idTagInfo.status).toBe('Accepted')
    await this.status('Finishing')
    await this.status('Available')
    const { flags, ...readSession } = await this.session(transactionId)
    expect(readSession).toMatchObject({ state: 'ended', energy_kwh: '5.000', stop_reason: reason })
    expect(flags).toEqual([])
    expect(await this.readConnector()).toMatchObject({ status: 'Available' })
  }
  /** Sets the response of the station to an action. */
  respondTo(action: string, response: Response): void {
    this.socket.onCall(action, (payload) => (typeof response === 'function' ? response(payload) : response))
  }
  /** The payloads of the calls of an action that it received, in order. */
  callsReceived(action: string): Json[] {
    return this.socket.called.filter((one) => one.action === action).map(({ payload }) => payload)
  }

  // Actions of the operator.

  /** Sends a command, to which the station responds as given; resolves with the command once it has ended. */
  async sendCommand(body: object, [action, response]: readonly [string, Response]): Promise<Json> {
    this.respondTo(action, response)
    const command = await this.operator.post(`${this.path}/commands?wait=30`, body, 202)
    return { ...command, heard: this.callsReceived(action).at(-1) }
  }
  /** A command that was created by another route, once it has ended. */
  awaitCommandEnd({ id }: { readonly id: string }): Promise<Json> {
    const isOver = ({ state }: Json) => state !== 'pending' && state !== 'sent'
    return this.operator.until(`${this.path}/commands/${id}`, isOver)
  }

  // What the API shows.

  get path(): string {
    return `/chargers/${this.charger.id}`
  }
  readCharger(): Promise<Json> {
    return this.operator.get(this.path)
  }
  async readConnector(connectorId = 1): Promise<Json> {
    const { connectors } = await this.readCharger()
    return connectors.find((one: Json) => one.connector_id === connectorId)
  }
  /** All sessions, oldest first. */
  async readSessions(): Promise<Json[]> {
    return (await this.operator.get(`/sessions?charger_id=${this.charger.id}&sort_order=asc`)).items
  }
  async session(transactionId: number): Promise<Json> {
    const found = (await this.readSessions()).find((one) => one.transaction_number === transactionId)
    return this.operator.get(`/sessions/${found?.id}`)
  }
  /** The details of the events of a type, oldest first. */
  async readEvents(type: string): Promise<Json[]> {
    const { items } = await this.operator.get(`${this.path}/events?event_type=${type}&sort_order=asc`)
    return items.map(({ details }: Json) => details)
  }
  /** The time of the service's clock as stations write it. */
  now(): string {
    return new Date(this.operator.api.clock.now()).toISOString().replace('.000Z', 'Z')
  }
}
