import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startIngest } from '../../src/areas/metering/intake/index.ts'
import { listenTls, serveGateways, type TlsListener } from '../../src/field/mqtt/embedded-source.ts'
import { startIntake } from '../../src/field/mqtt/intake.ts'
import { type AppOptions, buildApp } from '../../src/http/app.ts'
import { makeBackground } from '../../src/platform/async/background.ts'
import { deriveKey } from '../../src/platform/auth/derive.ts'
import { makePasswords, type Passwords } from '../../src/platform/auth/password.ts'
import { connect } from '../../src/platform/db/pool.ts'
import type { App } from '../../src/platform/http/app-type.ts'
import { type Mail, makeSmtpMailer } from '../../src/platform/mail/mail.ts'
import { makeLocalBroker } from '../../src/platform/messaging/broker.ts'
import { makeBus } from '../../src/platform/messaging/bus.ts'
import { makeEmbeddedBroker } from '../../src/platform/mqtt/embedded-broker.ts'
import type { ConnectionLimits } from '../../src/platform/mqtt/listeners.ts'
import { makeOwnEndpoints } from '../../src/platform/net/own-endpoints.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import { makeMetrics } from '../../src/platform/observability/metrics.ts'
import { makeReadiness } from '../../src/platform/observability/readiness.ts'
import type { Deps } from '../../src/platform/runtime/deps.ts'
import type { Config } from '../../src/platform/settings/config.ts'
import { type TestClock, testClock } from './clock.ts'
import { testConfig } from './config.ts'
import { createDatabase } from './database.ts'
import type { Json } from './json.ts'

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed body; undefined when there is none. Untyped, because tests assert what they read. */
  readonly body: Json
}

export interface CallOptions {
  readonly token?: string | undefined
  /** Sent as JSON; a string or a form is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestApi {
  readonly url: string
  readonly deps: Deps
  readonly clock: TestClock
  /** Sent mails, oldest first; with `smtpUrl` they are sent to that server instead. */
  readonly mails: Mail[]
  /** Port of the embedded broker; 0 without `mqtt`. */
  readonly mqttPort: number
  /** The TLS listener of the embedded broker, if the settings ask for one. */
  readonly mqttTls: TlsListener | undefined
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>
  close(): Promise<void>
}

export interface ApiOptions {
  readonly config?: Partial<Config>
  readonly now?: string
  /** Adds routes of the test to the app before it listens. */
  readonly extend?: (app: App) => void
  readonly onRoute?: AppOptions['onRoute']
  readonly onOcppTls?: AppOptions['onOcppTls']
  readonly consoleFolder?: AppOptions['consoleFolder']
  /** Instead of hashes with few iterations in the thread pool. */
  readonly passwords?: Passwords
  /** Starts the embedded broker with a listener for gateways, with these limits or the usual ones. */
  readonly mqtt?: boolean | Partial<ConnectionLimits>
}

const isSentUnchanged = (body: unknown): body is string | FormData =>
  typeof body === 'string' || body instanceof FormData

export async function callApi(
  base: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse> {
  const { token, body, headers = {} } = options
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isSentUnchanged(body) ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  }
}

/** The whole HTTP service on its own port, with its own database and a fixed clock. */
export async function startApi({
  config: overrides = {},
  now,
  extend,
  onRoute,
  onOcppTls,
  consoleFolder,
  passwords = makePasswords({ iterations: 1000, derive: deriveKey }),
  mqtt = false,
}: ApiOptions = {}): Promise<TestApi> {
  const testDatabase = await createDatabase()
  // Of this service alone; created by the first file that it stores.
  const ownFolder = join(tmpdir(), `netsaat-api-${randomUUID()}`)
  const config = testConfig({ dataDir: ownFolder, ...overrides })
  const clock = testClock(now)
  const mails: Mail[] = []
  const log = makeLog(config.logLevel)
  const embedded = mqtt ? await makeEmbeddedBroker(log, mqtt === true ? {} : mqtt) : undefined
  const base = {
    config,
    clock,
    database: connect({ url: testDatabase.url, maxConnections: 12 }),
    log,
    passwords,
    background: makeBackground(log),
    bus: makeBus(log),
    broker: embedded ?? makeLocalBroker(),
    mail: config.smtpUrl
      ? makeSmtpMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom })
      : { send: async (mail: Mail) => void mails.push(mail) },
    metrics: makeMetrics(),
    readiness: makeReadiness(),
    ownEndpoints: makeOwnEndpoints([testDatabase.url, config.databaseUrl, config.mqttUrl]),
  }
  const ingest = startIngest(base)
  const intake = startIntake({ ...base, ingest })
  const deps: Deps = { ...base, ingest, mqtt: intake }
  if (embedded) await serveGateways(deps, intake, embedded)
  const mqttPort = embedded ? await embedded.listen({ host: '127.0.0.1', port: 0 }) : 0
  const mqttTls = embedded ? await listenTls(deps, embedded) : undefined
  const app = await buildApp(deps, {
    checksResponses: true,
    ...(onRoute && { onRoute }),
    ...(onOcppTls && { onOcppTls }),
    consoleFolder,
  })
  extend?.(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    deps,
    clock,
    mails,
    mqttPort,
    mqttTls,
    call: (method, path, options) => callApi(url, method, path, options),
    async close() {
      await app.close()
      mqttTls?.certificates.stop()
      await embedded?.close()
      await intake.close()
      await deps.ingest.drain()
      await deps.database.close()
      await testDatabase.drop()
      await rm(ownFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
    },
  }
}
