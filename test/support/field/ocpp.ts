import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { RPCClient } from 'ocpp-rpc'
import type { OcppVersion } from '../../../src/kernel/ocpp.ts'
import { type ApiOptions, startApi, type TestApi } from '../api.ts'
import { makeDataFolder } from '../folder.ts'
import type { Json } from '../json.ts'
import type { TestTenant } from '../tenants.ts'

export interface TestCharger {
  readonly id: string
  readonly device_id: string
  readonly cpid: string
  readonly password: string
}

/** A test service that charging stations can connect to. */
export const startOcppApi = (options: ApiOptions = {}): Promise<TestApi> =>
  startApi({ ...options, config: { roles: ['api', 'realtime', 'ocpp'], ...options.config } })

/** The same with a folder for files, at an address that stations can reach. */
export async function startFilesApi(): Promise<TestApi> {
  const dataDir = await makeDataFolder('stations')
  const api = await startOcppApi({ config: { dataDir } })
  Object.assign(api.deps.config, { publicBaseUrl: api.url })
  return {
    ...api,
    async close() {
      await api.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A charger with the generated password. */
export async function createCharger(
  api: TestApi,
  tenant: TestTenant,
  body: Readonly<Record<string, unknown>> = {},
): Promise<TestCharger> {
  const response = await api.call('POST', '/api/ocpp/chargers', {
    token: tenant.admin.token,
    body: { cpid: `CP-${randomUUID()}`, ...body },
  })
  if (response.status !== 201) throw new Error(`the charger was not made: ${response.text}`)
  return response.body
}

export interface StationOptions {
  /** 1.6 when absent. */
  readonly version?: OcppVersion
  /** Instead of the charger's; bytes are sent unchanged. */
  readonly password?: string | Buffer
  /** Instead of the one of the version. */
  readonly protocols?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Options of `ws`: certificates, for example. */
  readonly wsOpts?: object
  /** The address of the service, instead of the test service's own listener. */
  readonly url?: string
  /** Responses to calls that may arrive as soon as the station is connected, by action. */
  readonly responses?: Readonly<Record<string, (payload: Json) => object | Promise<object>>>
}

/** A call of the service as the station receives it. */
export interface Called {
  readonly action: string
  readonly payload: Json
}

/**
 * A third-party charging station: the client of `ocpp-rpc`, which validates both directions against the
 * schemas.
 */
export interface TestStation {
  readonly client: RPCClient
  /**
   * Sends a call; resolves with the payload of the response, rejects with the CALLERROR (`rpcErrorCode`,
   * `message`).
   */
  call(action: string, payload?: object): Promise<Json>
  /** Calls of the service, in order. */
  readonly called: readonly Called[]
  /** The handler of later calls of the service; it may throw an error of `createRPCError`. */
  onCall(action: string, response: (payload: Json) => object | Promise<object>): void
  /** The close code of the service; resolves at the close. */
  closed(): Promise<{ readonly code: number; readonly reason: string }>
  end(): Promise<void>
}

/** Connects as a station; rejects with an error whose `code` is the HTTP status of a rejected handshake. */
export async function connectStation(
  api: Pick<TestApi, 'url'>,
  { cpid, password }: Pick<TestCharger, 'cpid' | 'password'>,
  options: StationOptions = {},
): Promise<TestStation> {
  const { version = '1.6', protocols = [`ocpp${version}`], headers = {}, wsOpts = {} } = options
  const client = new RPCClient({
    endpoint: `${(options.url ?? api.url).replace(/^http/, 'ws')}/ocpp/${version}`,
    identity: cpid,
    password: options.password ?? password,
    protocols: [...protocols],
    strictMode: true,
    reconnect: false,
    headers: { ...headers },
    wsOpts,
  } as unknown as ConstructorParameters<typeof RPCClient>[0])
  client.on('error', () => {})
  client.on('socketError', () => {})
  const called: Called[] = []
  const responses = new Map(Object.entries(options.responses ?? {}))
  client.handle(async ({ method = '', params = {} }) => {
    called.push({ action: method, payload: params })
    const response = responses.get(method)
    if (!response) throw new Error(`the test does not answer ${method}`)
    return response(params)
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => client.once('close', resolve))
  await client.connect()
  return {
    client,
    called,
    call: (action, payload = {}) => {
      const response = client.call(action, payload)
      // A test may wait for something else first: a rejection meanwhile reaches the code that awaits the
      // response.
      response.catch(() => {})
      return response
    },
    onCall: (action, response) => void responses.set(action, response),
    closed: () => closed,
    async end() {
      await client.close({ force: true })
    },
  }
}
