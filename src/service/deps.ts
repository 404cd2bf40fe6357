import type { FastifyBaseLogger } from 'fastify'
import { startIngest } from '../areas/metering/intake/index.ts'
import { type Intake, startIntake } from '../field/mqtt/intake.ts'
import { makeBackground } from '../platform/async/background.ts'
import { makePasswords } from '../platform/auth/password.ts'
import { openNodeReads } from '../platform/db/distribution/node-reads.ts'
import { connect } from '../platform/db/pool.ts'
import { openReplicas } from '../platform/db/replicas.ts'
import type { Mailer } from '../platform/mail/mail.ts'
import { type Broker, makeLocalBroker } from '../platform/messaging/broker.ts'
import { makeBus } from '../platform/messaging/bus.ts'
import type { ProcessLink } from '../platform/messaging/process-link.ts'
import { endpointOf, makeOwnEndpoints } from '../platform/net/own-endpoints.ts'
import { makeMetrics, measureNodeReads, measureReplicas } from '../platform/observability/metrics.ts'
import { makeReadiness } from '../platform/observability/readiness.ts'
import { makeClock } from '../platform/runtime/clock.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Config } from '../platform/settings/config.ts'

export interface DepsOptions {
  readonly config: Config
  /** The URL of the migrated database. */
  readonly url: string
  /** The URL of the role that owns the tables; that of `url` when absent. */
  readonly ownerUrl?: string | undefined
  readonly log: FastifyBaseLogger
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly mail: Mailer
  readonly maxConnections?: number
  /** A broker within the process when absent. */
  readonly broker?: Broker
  /** To the other processes of the service; none when absent. */
  readonly link?: ProcessLink | undefined
}

/** The dependencies with the intake of MQTT messages, which only the broker uses. */
export type ServiceDeps = Deps & { readonly mqtt: Intake }

/**
 * Makes the dependencies of the service over one database. To end it: drain `ingest` and `background`, then
 * close `database`.
 */
export function makeDeps({
  config,
  url,
  ownerUrl,
  log,
  now,
  mail,
  maxConnections = 20,
  broker,
  link,
}: DepsOptions): ServiceDeps {
  const onIdleError = (error: Error) => log.warn({ err: error }, 'a database connection broke')
  const database = connect({ url, ownerUrl, maxConnections, onIdleError })
  const replicas =
    config.databaseReadUrls.length > 0
      ? openReplicas({
          primary: database,
          urls: config.databaseReadUrls,
          lagMaxMs: config.databaseReadLagMaxMs,
          maxConnections,
          log,
          connect: (order) => connect({ ...order, onIdleError }),
        })
      : undefined
  const ownEndpoints = makeOwnEndpoints([url, ownerUrl, config.mqttUrl, config.redisUrl, config.smtpUrl])
  const nodeReads = openNodeReads({
    coordinator: database,
    log,
    connect(nodeUrl) {
      const endpoint = endpointOf(nodeUrl)
      if (endpoint) ownEndpoints.add(endpoint)
      return connect({ url: nodeUrl, maxConnections, onIdleError, isForReads: true })
    },
  })
  const base = {
    config,
    log,
    mail,
    clock: makeClock(now),
    database,
    replicas,
    nodeReads,
    metrics: makeMetrics(),
    readiness: makeReadiness(),
    passwords: makePasswords(),
    background: makeBackground(log),
    bus: makeBus(log),
    broker: broker ?? makeLocalBroker(),
    link,
    ownEndpoints,
  }
  if (replicas) measureReplicas(base.metrics, replicas)
  measureNodeReads(base.metrics, nodeReads)
  const ingest = startIngest(base)
  return { ...base, ingest, mqtt: startIntake({ ...base, ingest }) }
}
