import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { FastifyBaseLogger } from 'fastify'
import { migrate } from '../platform/db/migrate.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/postgres.ts'
import { closeTenantFolders, makeDataFolder } from '../platform/files/data-folder.ts'
import { messageOf } from '../platform/observability/error-text.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Config, Settings } from '../platform/settings/config.ts'
import { type Closers, makeClosers } from './closers.ts'
import { CREDENTIAL_KEY, loadGeneratedKey, SECRET_KEY } from './generated-keys.ts'
import { SHUTDOWN_MAX_MS } from './limits.ts'
import { listenByRules, probePort } from './listen.ts'
import type { OpenDatabase } from './parts.ts'
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
  /** Milliseconds that a stop may take. */
  readonly stopMaxMs: number
  /**
   * Stops the service within `stopMaxMs`, the database last. Idempotent: further calls wait for the
   * same stop.
   */
  stop(): Promise<void>
}

/**
 * Starts the service. When the start fails, it closes the started parts and rejects with an error for the
 * operator.
 *
 * V8 doubles its space for young objects when many of them survive a collection, up to 32 MB. Most of what a start
 * makes is kept, so the space would reach that size, although a service at rest needs 4 MB. Therefore the space keeps
 * its size during the start; V8 reads this setting, which is one for the process, at each collection (ADR 0177).
 */
export async function startService(options: StartOptions): Promise<Service> {
  const closers = makeClosers(options.log, options.settings.drainMs)
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return await start(options, closers)
  } catch (error) {
    await closers.closeAll()
    throw error
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2')
  }
}

/** The parts of the service are most of the program, so that loading them takes a large part of a start. */
const loadParts = () => import('./parts.ts')

async function start(options: StartOptions, closers: Closers): Promise<Service> {
  const { settings, log } = options
  await probe(settings)
  const config = await completeConfig(options)
  const database = await openDatabase(config, log, closers)
  await migrateNow(database, log)
  const { startParts } = await loadParts()
  const { url, deps } = await startParts({ ...options, config, database }, closers)
  let stopping: Promise<void> | undefined
  return {
    url,
    deps,
    stopMaxMs: settings.drainMs + SHUTDOWN_MAX_MS,
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

async function openDatabase(config: Config, log: FastifyBaseLogger, closers: Closers): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    const { databaseUrl: url, databaseOwnerUrl: ownerUrl } = config
    return { url, ownerUrl, notes: [], setting: ownerUrl ? 'DATABASE_OWNER_URL' : 'DATABASE_URL' }
  }
  const embedded = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log,
    // The parts are loaded while the server starts; their import below reports an error.
    onLaunch: () => void loadParts().catch(() => {}),
  })
  closers.add('embedded PostgreSQL', (remainingMs) => embedded.stop(remainingMs), SHUTDOWN_MAX_MS)
  return embedded
}

/**
 * Migrates the schema. It is the first use of the database, so that an unreachable DATABASE_URL is reported
 * here.
 */
async function migrateNow(
  { url, ownerUrl = url, setting }: OpenDatabase,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    const applied = await migrate(ownerUrl, undefined, { servingUrl: url })
    if (applied.length > 0) log.info({ applied }, 'the schema was migrated')
  } catch (error) {
    throw setting ? new Error(`${setting}: ${messageOf(error)}`, { cause: error }) : error
  }
}
