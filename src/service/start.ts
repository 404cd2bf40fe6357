import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { ensureFirstAdmin } from '../areas/admin/tenants/index.ts'
import { startLiveEvaluation } from '../areas/alarms/evaluation/index.ts'
import { makeNotifier } from '../areas/alarms/notifications/index.ts'
import { ensureSystemPolicies } from '../areas/alarms/system-alarms/index.ts'
import { ensureSystemTemplates } from '../areas/equipment/device-templates/index.ts'
import { startZigbeeListener } from '../areas/equipment/zigbee/index.ts'
import { ensureShippedTariffs, ensureSystemOrganizations } from '../areas/netting/index.ts'
import { startPoller } from '../field/modbus/index.ts'
import { followConfigReports } from '../field/mqtt/config-reports.ts'
import { buildApp } from '../http/app.ts'
import { alarmDeps, startJobs } from '../jobs/index.ts'
import { JOBS_STOP_MS, MODBUS_STOP_MS, MQTT_STOP_MAX_MS } from '../kernel/limits.ts'
import { withTimeout } from '../platform/async/with-timeout.ts'
import { migrate } from '../platform/db/migrate.ts'
import { systemDb } from '../platform/db/tenant.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/postgres.ts'
import { closeTenantFolders, makeDataFolder, tenantFolder } from '../platform/files/data-folder.ts'
import { type Mailer, makeOutboxMailer, makeSmtpMailer } from '../platform/mail/mail.ts'
import { messageOf } from '../platform/observability/error-text.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Config, Settings } from '../platform/settings/config.ts'
import { openBroker } from './broker.ts'
import { makeDeps } from './deps.ts'
import { countTraffic, drain } from './drain.ts'
import { CREDENTIAL_KEY, loadGeneratedKey, SECRET_KEY } from './generated-keys.ts'
import { CLOSE_MAX_MS, DRAIN_MAX_MS, SHUTDOWN_MAX_MS } from './limits.ts'
import { listenByRules, probePort, urlOf } from './listen.ts'
import { ROLES } from './process-settings.ts'

export interface StartOptions {
  readonly settings: Settings
  readonly log: FastifyBaseLogger
  /**
   * Prints lines for the user who started the service. They may contain a generated password and are never
   * logged.
   */
  readonly print: (line: string) => void
  /** Returns the current time, epoch milliseconds. */
  readonly now: () => number
  /** False: no administrator is created in an empty database, because the caller creates the first user. */
  readonly createsFirstAdmin?: boolean
}

export interface Service {
  readonly url: string
  readonly deps: Deps
  /**
   * Stops the service within SHUTDOWN_MAX_MS, the database last. Idempotent: further calls wait for the
   * same stop.
   */
  stop(): Promise<void>
}

interface Closer {
  readonly name: string
  readonly close: () => Promise<void>
  readonly maxMs: number
}

/**
 * Collects the started parts and closes them in reverse order, each within its own timeout and even when
 * another one failed.
 */
function makeClosers(log: FastifyBaseLogger) {
  const closers: Closer[] = []
  return {
    add: (name: string, close: () => Promise<void>, maxMs = CLOSE_MAX_MS) =>
      void closers.push({ name, close, maxMs }),
    async closeAll() {
      for (let closer = closers.pop(); closer; closer = closers.pop()) {
        try {
          await withTimeout(closer.maxMs, closer.close(), () => new Error('it took too long'))
        } catch (error) {
          log.error({ err: error, part: closer.name }, 'a part of the service did not stop cleanly')
        }
      }
    },
  }
}
type Closers = ReturnType<typeof makeClosers>

/**
 * Starts the service. When the start fails, it closes the started parts and rejects with an error for the
 * operator.
 */
export async function startService(options: StartOptions): Promise<Service> {
  const closers = makeClosers(options.log)
  try {
    return await start(options, closers)
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}

async function start(options: StartOptions, closers: Closers): Promise<Service> {
  const { settings, log, now, print } = options
  await probe(settings)
  const config = await completeConfig(options)
  const database = await openDatabase(config, log, closers)
  await migrateNow(database, log)
  const gateways = await openBroker(config, log)
  const { broker } = gateways
  const deps = makeDeps({ config, url: database.url, log, now, mail: makeMailer(options, config), broker })
  closers.add('database connections', () => deps.database.close())
  closers.add('ingest', () => deps.ingest.drain(), DRAIN_MAX_MS)
  closers.add('gateways', () => deps.mqtt.close())
  closers.add('message broker', () => gateways.close(), MQTT_STOP_MAX_MS + CLOSE_MAX_MS)
  for (const note of database.notes) log.info(note)
  deps.readiness.note(() => database.notes)
  await ensureSystemPolicies(systemDb(deps.database.kysely))
  await ensureSystemOrganizations(deps)
  await ensureShippedTariffs(deps)
  await ensureSystemTemplates(deps)
  if (options.createsFirstAdmin ?? true) await printFirstAdmin(deps, print)
  const evaluator = startLiveEvaluation(alarmDeps(deps))
  closers.add('alarms', () => evaluator.stop())
  if (config.roles.includes('jobs')) await runTimetable(deps, closers)
  if (config.roles.includes('ingest')) runField(deps, closers)
  await gateways.serve(deps, print)
  const url = await serveHttp(deps, print, closers)
  let stopping: Promise<void> | undefined
  return {
    url,
    deps,
    stop() {
      stopping ??= stop(closers, log)
      return stopping
    },
  }
}

async function stop(closers: Closers, log: FastifyBaseLogger): Promise<void> {
  log.info('stopping')
  await closers.closeAll()
  log.info('stopped')
}

/** Checks a configured port before a database is created. */
async function probe(settings: Settings): Promise<void> {
  const { host, port, portIsFixed, mqttPort, mqttUrl, mqttTls, roles } = settings
  const look = (candidate: number) => probePort(host, candidate)
  const quiet = { host, portIsFixed: true, print: () => {} }
  if (portIsFixed && port !== 0) await listenByRules({ ...quiet, port }, look)
  if (mqttUrl !== undefined || !roles.includes('ingest')) return
  if (settings.mqttPlainEnabled && settings.mqttPortIsFixed && mqttPort !== 0)
    await listenByRules({ ...quiet, port: mqttPort, setting: 'MQTT_PORT' }, look)
  if (mqttTls && mqttTls.port !== 0)
    await listenByRules({ ...quiet, port: mqttTls.port, setting: 'MQTT_TLS_PORT' }, look)
}

async function completeConfig({ settings, log, print }: StartOptions): Promise<Config> {
  const dataDir = resolve(settings.dataDir)
  await makeDataFolder(dataDir).catch((error: Error) => {
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${error.message}`)
  })
  for (const folder of await closeTenantFolders(dataDir))
    log.warn({ folder }, 'the folder belongs to another user: its mode cannot be restricted')
  const secretKey = settings.secretKey ?? (await generatedKey(dataDir, SECRET_KEY, { log, print }))
  const credentialEncryptionKey =
    settings.credentialEncryptionKey ??
    // Processes that share the work would each generate another key.
    (settings.roles.length === ROLES.length
      ? await generatedKey(dataDir, CREDENTIAL_KEY, { log, print })
      : undefined)
  return Object.freeze({ ...settings, dataDir, secretKey, credentialEncryptionKey })
}

async function generatedKey(
  dataDir: string,
  kind: typeof SECRET_KEY,
  { log, print }: Pick<StartOptions, 'log' | 'print'>,
): Promise<string> {
  const { key, file, isNew } = await loadGeneratedKey(dataDir, kind)
  if (isNew) print(`${kind.setting} is not set: a key was generated and is stored in ${file}.`)
  else log.info({ file }, `${kind.setting} is not set: the generated key of the data folder is used`)
  return key
}

interface OpenDatabase {
  readonly url: string
  readonly notes: readonly string[]
  /** The setting that contains the URL. */
  readonly setting?: string
}

async function openDatabase(config: Config, log: FastifyBaseLogger, closers: Closers): Promise<OpenDatabase> {
  if (config.databaseUrl) return { url: config.databaseUrl, notes: [], setting: 'DATABASE_URL' }
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  closers.add('embedded PostgreSQL', () => embedded.stop(), SHUTDOWN_MAX_MS)
  return embedded
}

/**
 * Migrates the schema. It is the first use of the database, so that an unreachable DATABASE_URL is reported
 * here.
 */
async function migrateNow({ url, setting }: OpenDatabase, log: FastifyBaseLogger): Promise<void> {
  try {
    const applied = await migrate(url)
    if (applied.length > 0) log.info({ applied }, 'the schema was migrated')
  } catch (error) {
    throw setting ? new Error(`${setting}: ${messageOf(error)}`, { cause: error }) : error
  }
}

function makeMailer({ log, now }: StartOptions, { smtpUrl, mailFrom: from, dataDir }: Config): Mailer {
  return smtpUrl
    ? makeSmtpMailer({ smtpUrl, from })
    : makeOutboxMailer({ folder: tenantFolder({ dataDir }, 'outbox'), from, now, log })
}

async function printFirstAdmin(deps: Deps, print: (line: string) => void): Promise<void> {
  const { adminEmail: email, adminPassword: password } = deps.config
  const admin = await ensureFirstAdmin(deps, { email, password })
  if (!admin) return
  print(
    admin.isGenerated
      ? `First start: log in as ${admin.email} with the password ${admin.password} (shown only this once).`
      : `First start: log in as ${admin.email} with the password of NETSAAT_ADMIN_PASSWORD.`,
  )
}

/** Starts the parts that receive data from gateways other than over HTTP. */
function runField(deps: Deps, closers: Closers): void {
  closers.add('configuration reports', followConfigReports(deps))
  const zigbee = startZigbeeListener(deps)
  closers.add('Zigbee gateways', () => zigbee.stop())
  const poller = startPoller(deps)
  closers.add('Modbus poller', () => poller.stop(), MODBUS_STOP_MS + CLOSE_MAX_MS)
}

async function runTimetable(deps: Deps, closers: Closers): Promise<void> {
  const notifier = makeNotifier(deps)
  notifier.start()
  deps.readiness.note(notifier.warnings)
  closers.add('notifications', () => notifier.stop())
  const jobs = await startJobs(deps)
  closers.add('jobs', () => jobs.stop(), JOBS_STOP_MS + CLOSE_MAX_MS)
}

async function serveHttp(deps: Deps, print: (line: string) => void, closers: Closers): Promise<string> {
  const { config, log, readiness } = deps
  const app = await buildApp(deps)
  const traffic = countTraffic(app.server)
  const close = async () => {
    const cut = await drain({ app, traffic, announce: () => readiness.stop() })
    if (cut > 0) log.warn({ cut }, 'requests exceeded the time limit of the stop and were cut')
  }
  closers.add('HTTP', close, DRAIN_MAX_MS + CLOSE_MAX_MS)
  await app.ready()
  await listenByRules({ ...config, print }, async (port) => {
    await app.listen({ host: config.host, port })
  })
  const { port } = app.server.address() as AddressInfo
  return urlOf(config.host, port)
}
