import type { Pool } from 'pg'
import { startIngest } from '../../src/areas/metering/intake/index.ts'
import { startIntake } from '../../src/field/mqtt/intake.ts'
import { buildApp } from '../../src/http/app.ts'
import { makeBackground } from '../../src/platform/async/background.ts'
import { makePasswords } from '../../src/platform/auth/password.ts'
import { openNodeReads } from '../../src/platform/db/distribution/node-reads.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { connect } from '../../src/platform/db/pool.ts'
import { makeLocalBroker } from '../../src/platform/messaging/broker.ts'
import { makeBus } from '../../src/platform/messaging/bus.ts'
import type { ProcessLink } from '../../src/platform/messaging/process-link.ts'
import { makeOwnEndpoints } from '../../src/platform/net/own-endpoints.ts'
import { makeLog } from '../../src/platform/observability/log.ts'
import { makeMetrics } from '../../src/platform/observability/metrics.ts'
import { makeReadiness } from '../../src/platform/observability/readiness.ts'
import { makeClock } from '../../src/platform/runtime/clock.ts'
import type { Deps } from '../../src/platform/runtime/deps.ts'
import { testConfig } from '../../test/support/config.ts'
import { createTenant, type TestTenant } from '../../test/support/tenants.ts'
import { type BenchServer, openDatabase } from './database.ts'

export interface BenchService {
  readonly url: string
  readonly deps: Deps
  readonly databaseUrl: string
  readonly tenant: TestTenant
  /** The connections of the service, on a distributed database also those to the workers. */
  readonly pools: readonly Pool[]
  stop(): Promise<void>
}

/** The whole service in this process, over a fresh database, with a fixed clock; without a link to other processes. */
export async function openService(
  now: number,
  given?: BenchServer,
  makeLink?: (url: string) => ProcessLink,
): Promise<BenchService> {
  const server = given ?? (await openDatabase())
  const { url: servingUrl, ownerUrl = servingUrl, shards } = server
  await migrate(ownerUrl, undefined, { servingUrl, ...(shards && { shards }) })
  const log = makeLog('error')
  const database = connect({ url: servingUrl, ownerUrl })
  const pools = [database.pool]
  const nodeReads = openNodeReads({
    coordinator: database,
    log,
    connect(nodeUrl) {
      const node = connect({ url: nodeUrl, isForReads: true })
      pools.push(node.pool)
      return node
    },
  })
  const base = {
    config: testConfig({ logLevel: 'error' }),
    clock: makeClock(() => now),
    database,
    nodeReads,
    log,
    passwords: makePasswords(),
    background: makeBackground(log),
    bus: makeBus(log),
    broker: makeLocalBroker(),
    mail: { send: async () => {} },
    metrics: makeMetrics(),
    readiness: makeReadiness(),
    ownEndpoints: makeOwnEndpoints([server.url]),
    link: makeLink?.(servingUrl),
  }
  const ingest = startIngest(base)
  const deps: Deps = { ...base, ingest, mqtt: startIntake({ ...base, ingest }) }
  const app = await buildApp(deps)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    deps,
    databaseUrl: ownerUrl,
    tenant: await createTenant({ deps }),
    pools,
    async stop() {
      await app.close()
      await deps.ingest.drain()
      await nodeReads.close()
      await deps.database.close()
      await server.stop()
    },
  }
}

/** Inserts devices of the bench tenant directly. */
export async function createDevices({ deps, tenant }: BenchService, count: number) {
  const rows = await deps.database.kysely
    .insertInto('device')
    .values(
      Array.from({ length: count }, (_, index) => ({
        tenant_id: tenant.id,
        name: `meter ${index}`,
        device_type: 'energy_analyzer',
        device_source: 'manual',
      })),
    )
    .returning(['id', 'key'])
    .execute()
  return rows
}
