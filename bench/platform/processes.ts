/**
 * What several processes cost the database: notifications of the link, the record of a user's last write (ADR 0142)
 * and the polls for due work of all tenants (ADR 0128). The reference of each figure is the same work without it,
 * alternately in the same run.
 */

import { findPrincipal } from '../../src/areas/access/auth/store.ts'
import { makeRecordWrite } from '../../src/areas/access/auth/user-last-write-store.ts'
import { listDueWork as listNotificationWork } from '../../src/areas/alarms/notifications/delivery/due-store.ts'
import { listDueWork as listChargingWork } from '../../src/areas/charging/due-work-store.ts'
import { HOUR_MS, periodOf } from '../../src/kernel/time.ts'
import { openNotifications } from '../../src/platform/db/notifications.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import { systemDb } from '../../src/platform/db/tenant.ts'
import type { Principal } from '../../src/platform/http/app-type.ts'
import { encodeFrames } from '../../src/platform/messaging/link-frames.ts'
import { makePostgresLink, type PostgresLink } from '../../src/platform/messaging/postgres-link.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import { sized } from '../support/effort.ts'
import { runSender } from '../support/run-sender.ts'
import { makeServerCpu } from '../support/server-cpu.ts'
import { type BenchService, createDevices, openService } from '../support/service.ts'
import { type Bench, type Figure, median, timed } from '../support/types.ts'

const HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
const NOW = HOUR + HOUR_MS - 1
const ROUNDS = sized(5, 1)
const DEVICES = 500
const REQUESTS = sized(120, 40)
const CALLS = sized(2_000, 500)
const WRITERS = 500
const CONCURRENT = 16
const TENANTS = 10_000
const POLLS = sized(200, 100)
/** Processor time of the database for the idle polls of one process, of a second. */
const POLLS_LIMIT_MS = 10

type Work = () => Promise<unknown>

/** The median milliseconds of two works that alternate, after a round that warms up. */
async function alternate(work: Work, reference: Work): Promise<[number, number]> {
  const [own, other]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round += 1) {
    const tookMs = [await timed(reference), await timed(work)]
    if (round === 0) continue
    other.push(tookMs[0] ?? Number.NaN)
    own.push(tookMs[1] ?? Number.NaN)
  }
  return [median(own), median(other)]
}

async function repeat(times: number, work: Work): Promise<void> {
  for (let time = 0; time < times; time += 1) await work()
}

const micros = (ms: number): string => `${(ms * 1000).toFixed(0)} µs`

/** How the live values of the stored samples leave the process; `prepared`: as a link sends them, but not sent. */
type LiveMode = 'not wanted' | 'prepared' | 'notified'

/** A link of the service whose last step can be left out. */
interface BenchLink extends PostgresLink {
  mode: LiveMode
}

function openLink(url: string): BenchLink {
  const link = makePostgresLink({ url, log: makeLog('error') })
  let count = 0
  const own: BenchLink = {
    ...link,
    mode: 'not wanted',
    async publish(topic, payload, options) {
      if (own.mode !== 'prepared') return link.publish(topic, payload, options)
      count += 1
      encodeFrames('bench', count, { topic, payload: Buffer.from(payload) })
    },
  }
  return own
}

/** Samples over HTTP, whose live values another process wants, who only receives them. */
async function measureIngest(service: BenchService, link: BenchLink): Promise<Figure[]> {
  const { deps, tenant, url, databaseUrl } = service
  const devices = await createDevices(service, DEVICES)
  await ensurePartitions(deps.database, 'measurement', [periodOf(HOUR)])
  let received = 0
  const other = await openNotifications({
    url: databaseUrl,
    channel: 'netsaat_link',
    timeoutMs: 10_000,
    onText: () => {
      received += 1
    },
    onLost: () => {},
  })
  const times: Record<LiveMode, number[]> = { 'not wanted': [], prepared: [], notified: [] }
  const send = async (mode: LiveMode): Promise<number> => {
    link.mode = mode
    const wanted = mode === 'not wanted' ? [] : [tenant.id]
    const interest = { topic: 'netsaat/live-interest/bench', payload: Buffer.from(JSON.stringify(wanted)) }
    await other.notify(encodeFrames('bench', Date.now(), interest))
    await deps.database.owner.pool.query('truncate measurement, rollup_dirty_range')
    const task = { url, token: tenant.operator.token, startAt: HOUR, stepMs: 15_000, connections: CONCURRENT }
    return runSender('./sender.ts', { ...task, deviceIds: devices.map(({ id }) => id), requests: REQUESTS })
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const mode of ['not wanted', 'prepared', 'notified'] as const) {
      const before = received
      const tookMs = await send(mode)
      if (round > 0) times[mode].push(tookMs)
      // The announcement itself is one.
      if (mode === 'notified' && received < before + 10) throw new Error('no live values were notified')
    }
  }
  other.close()
  const rate = (mode: LiveMode) => (DEVICES * REQUESTS) / median(times[mode])
  const against = (mode: LiveMode, name: string): Figure => ({
    name: 'ingest over HTTP while another process receives its live values by NOTIFY',
    measured: `${rate('notified').toFixed(1)} k samples/s`,
    against: `${rate(mode).toFixed(1)} k samples/s ${name}`,
    ratio: rate('notified') / rate(mode),
    aim: '',
  })
  return [
    against('prepared', 'with the messages prepared and not sent'),
    against('not wanted', 'without anybody who wants them'),
  ]
}

/** Transactions of concurrent connections that store a row, with a notification in the transaction and without. */
async function measureCommits({ deps }: BenchService): Promise<Figure> {
  const { pool } = deps.database.owner
  await pool.query('create table commit_bench (id bigint generated always as identity, note text)')
  const store = (statement: string) => () =>
    Promise.all(Array.from({ length: CONCURRENT }, () => repeat(CALLS / 20, () => pool.query(statement))))
  const [own, bare] = await alternate(
    store(`with w as (insert into commit_bench (note) values ('x') returning id)
      select pg_notify('netsaat_bench', id::text) from w`),
    store(`with w as (insert into commit_bench (note) values ('x') returning id) select id::text from w`),
  )
  await pool.query('drop table commit_bench')
  const rate = (ms: number) => (CONCURRENT * (CALLS / 20) * 1000) / ms
  return {
    name: 'transactions of 16 tasks with a NOTIFY in each (none of the service has one)',
    measured: `${rate(own).toFixed(0)}/s`,
    against: `${rate(bare).toFixed(0)}/s without`,
    ratio: rate(own) / rate(bare),
    aim: '',
  }
}

/** The principal of a request, with read replicas and without; the record of a write, and a notification. */
async function measureOwnWrites({ deps, tenant, databaseUrl }: BenchService): Promise<Figure[]> {
  const { database, log } = deps
  const { rows: users } = await database.pool.query<{ id: string }>(
    `insert into app_user (tenant_id, email, password_hash, created_at)
     select $1, 'writer' || n || '@bench.example', 'x', now() from generate_series(1, $2::int) n returning id`,
    [tenant.id, WRITERS],
  )
  const principals = users.map(({ id }) => ({ tenantId: tenant.id, id }) as Principal)
  await Promise.all(principals.map(makeRecordWrite({ database, log })))
  const { rows } = await database.pool.query<{ uid: string }>('select uid from tenant where id = $1', [
    tenant.id,
  ])
  const uid = rows[0]?.uid ?? ''
  const userId = users[0]?.id ?? ''
  const [withMs, withoutMs] = await alternate(
    () => repeat(CALLS, () => findPrincipal({ database, replicas: {} }, uid, userId)),
    () => repeat(CALLS, () => findPrincipal({ database }, uid, userId)),
  )
  const link = await openNotifications({
    url: databaseUrl,
    channel: 'netsaat_bench',
    timeoutMs: 10_000,
    onText: () => {},
    onLost: () => {},
  })
  const [recordMs, notifyMs] = await alternate(
    async () => {
      const record = makeRecordWrite({ database, log })
      for (const principal of principals) await record(principal)
    },
    async () => {
      for (const { id } of principals) await link.notify([id])
    },
  )
  link.close()
  return [
    {
      name: "principal of a request with the end of the user's writes",
      measured: micros(withMs / CALLS),
      against: `${micros(withoutMs / CALLS)} without replicas (the access version)`,
      ratio: withMs / withoutMs,
      aim: '',
    },
    {
      name: 'record of a write, at most two a second for a user and process',
      measured: micros(recordMs / WRITERS),
      against: `${micros(notifyMs / WRITERS)} for a notification`,
      ratio: recordMs / notifyMs,
      aim: '',
    },
  ]
}

/** The polls of an idle process with the roles jobs and ocpp over tenants that have a group each and nothing due. */
async function measurePolls({ deps, databaseUrl }: BenchService): Promise<Figure> {
  const { database } = deps
  const { pool } = database.owner
  await pool.query(
    `insert into tenant (name, slug) select 't' || n, 'bench-' || n from generate_series(1, ${TENANTS}) n`,
  )
  await pool.query(
    `insert into charging_group (tenant_id, name, limit_w, min_w_per_connector, due_at, created_at, updated_at)
     select id, 'site', 10000, 1380, to_timestamp($1::float8 / 1000) + interval '20 seconds', now(), now() from tenant`,
    [NOW],
  )
  await pool.query('analyze')
  const readTimes = await makeServerCpu([databaseUrl])
  const readCpu = async () => (await readTimes())[0] ?? Number.NaN
  const system = systemDb(database.kysely)
  const poll = async () => {
    await listNotificationWork(system, new Date(NOW))
    await listChargingWork(system, new Date(NOW))
  }
  await repeat(POLLS, poll)
  const before = await readCpu()
  await repeat(POLLS, poll)
  const cpuMs = ((await readCpu()) - before) / POLLS
  return {
    name: `idle polls over ${TENANTS} tenants, processor time of the database for each second`,
    measured: `${cpuMs.toFixed(2)} ms in 2 statements`,
    against: `limit ${POLLS_LIMIT_MS} ms`,
    ratio: cpuMs / POLLS_LIMIT_MS,
    aim: '<= 1',
  }
}

export const processesBench: Bench = {
  name: 'processes',
  async run() {
    let link: BenchLink | undefined
    const service = await openService(NOW, undefined, (url) => {
      link = openLink(url)
      return link
    })
    try {
      return [
        ...(link ? await measureIngest(service, link) : []),
        await measureCommits(service),
        ...(await measureOwnWrites(service)),
        await measurePolls(service),
      ]
    } finally {
      await link?.close()
      await service.stop()
    }
  },
}
