/**
 * The parts of the service over a migrated database: gateways, alarms, jobs, field adapters and HTTP. It is a file of
 * its own, so that start.ts can start the database before the areas are loaded.
 */
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { ensureFirstAdmin } from '../areas/admin/tenants/index.ts'
import { startLiveEvaluation } from '../areas/alarms/evaluation/index.ts'
import { makeNotifier, NOTIFICATION_WORK } from '../areas/alarms/notifications/index.ts'
import { ensureSystemPolicies } from '../areas/alarms/system-alarms/index.ts'
import { CHARGING_WORK } from '../areas/charging/index.ts'
import { ensureSystemTemplates } from '../areas/equipment/device-templates/index.ts'
import { startZigbeeListener } from '../areas/equipment/zigbee/index.ts'
import { ensureShippedTariffs, ensureSystemOrganizations } from '../areas/netting/index.ts'
import { startPoller } from '../field/modbus/index.ts'
import { followConfigReports } from '../field/mqtt/config-reports.ts'
import { buildApp } from '../http/app.ts'
import { alarmDeps, startJobs } from '../jobs/index.ts'
import { JOBS_STOP_MS, MODBUS_STOP_MS, MQTT_STOP_MAX_MS } from '../kernel/limits.ts'
import { newerMigrations } from '../platform/db/check.ts'
import { makeNodeNotes } from '../platform/db/distribution/node-notes.ts'
import { systemDb } from '../platform/db/tenant.ts'
import { tenantFolder } from '../platform/files/data-folder.ts'
import { announceDueWork } from '../platform/jobs/due-poll.ts'
import { type Mailer, makeOutboxMailer, makeSmtpMailer } from '../platform/mail/mail.ts'
import { LISTEN_BACKLOG } from '../platform/net/limits.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Config } from '../platform/settings/config.ts'
import { openBroker } from './broker.ts'
import type { Closers } from './closers.ts'
import { makeDeps } from './deps.ts'
import { countTraffic, drain } from './drain.ts'
import { CLOSE_MAX_MS, DRAIN_MAX_MS } from './limits.ts'
import { listenByRules, urlOf } from './listen.ts'

export interface PartsOptions {
  readonly config: Config
  readonly database: OpenDatabase
  readonly log: FastifyBaseLogger
  readonly print: (line: string) => void
  /** Returns the current time, epoch milliseconds. */
  readonly now: () => number
  readonly createsFirstAdmin?: boolean
}

export interface OpenDatabase {
  readonly url: string
  /** The URL of the role that owns the tables; that of `url` when undefined. */
  readonly ownerUrl?: string | undefined
  readonly notes: readonly string[]
  /** The setting that contains the URL. */
  readonly setting?: string
}

/** Starts the parts and adds each to the closers. */
export async function startParts(
  options: PartsOptions,
  closers: Closers,
): Promise<{ readonly url: string; readonly deps: Deps }> {
  const { config, database, log, now, print } = options
  const gateways = await openBroker({ config, log, databaseUrl: database.url })
  const { broker, link } = gateways
  const { url, ownerUrl } = database
  const deps = makeDeps({ config, url, ownerUrl, log, now, mail: makeMailer(options), broker, link })
  closers.add('database connections', () => deps.database.close())
  if (deps.replicas) {
    const { replicas } = deps
    deps.readiness.note(() => replicas.notes())
    closers.add('read replicas', () => replicas.close())
  }
  if (deps.nodeReads) {
    const { nodeReads } = deps
    deps.readiness.note(() => nodeReads.notes())
    closers.add('reads on nodes', () => nodeReads.close())
  }
  closers.add('ingest', () => deps.ingest.drain(), DRAIN_MAX_MS)
  closers.add('gateways', () => deps.mqtt.close())
  closers.add('message broker', () => gateways.close(), MQTT_STOP_MAX_MS + CLOSE_MAX_MS)
  for (const note of database.notes) log.info(note)
  deps.readiness.note(() => database.notes)
  deps.readiness.note(makeNodeNotes(deps.database))
  await ensureShippedRecords(deps)
  if (options.createsFirstAdmin ?? true) await printFirstAdmin(deps, print)
  const endAnnouncements = announceDueWork(deps, [NOTIFICATION_WORK, CHARGING_WORK])
  closers.add('announcements of due work', async () => endAnnouncements())
  const evaluator = startLiveEvaluation(alarmDeps(deps))
  closers.add('alarms', () => evaluator.stop())
  if (config.roles.includes('jobs')) await runTimetable(deps, closers)
  if (config.roles.includes('ingest')) runField(deps, closers)
  await gateways.serve(deps, print)
  return { url: await serveHttp(deps, print, closers), deps }
}

/** The records of the package. Beside a newer program they stay as that one has made them. */
async function ensureShippedRecords(deps: Deps): Promise<void> {
  const newer = await newerMigrations(deps.database)
  if (newer.length > 0) {
    deps.log.warn({ newer }, 'a newer program has migrated the database: this one serves as an older one')
    deps.readiness.note(() => [`a newer program has migrated the database: ${newer.join(', ')}`])
    return
  }
  await Promise.all([
    ensureSystemPolicies(systemDb(deps.database.kysely)),
    ensureSystemOrganizations(deps),
    ensureShippedTariffs(deps),
    ensureSystemTemplates(deps),
  ])
}

function makeMailer({ log, now, config }: PartsOptions): Mailer {
  const { smtpUrl, mailFrom: from, dataDir } = config
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
    const cut = await drain({ app, traffic, announce: () => readiness.stop(), noticeMs: config.drainMs })
    if (cut > 0) log.warn({ cut }, 'requests exceeded the time limit of the stop and were cut')
  }
  closers.add('HTTP', close, config.drainMs + DRAIN_MAX_MS + CLOSE_MAX_MS)
  await app.ready()
  await listenByRules({ ...config, print }, async (port) => {
    await app.listen({ host: config.host, port, backlog: LISTEN_BACKLOG })
  })
  const { port } = app.server.address() as AddressInfo
  return urlOf(config.host, port)
}
