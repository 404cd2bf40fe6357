import type { FastifyBaseLogger } from 'fastify'
import type { Background } from '../async/background.ts'
import type { Passwords } from '../auth/password.ts'
import type { NodeReads } from '../db/distribution/node-reads.ts'
import type { Database } from '../db/pool.ts'
import type { Replicas } from '../db/replicas.ts'
import type { Mailer } from '../mail/mail.ts'
import type { Broker } from '../messaging/broker.ts'
import type { Bus } from '../messaging/bus.ts'
import type { ProcessLink } from '../messaging/process-link.ts'
import type { OwnEndpoints } from '../net/own-endpoints.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Readiness } from '../observability/readiness.ts'
import type { Config } from '../settings/config.ts'
import type { Clock } from './clock.ts'

/**
 * The external dependencies of the code, passed as parameters. An area that others need adds itself by
 * declaration merging, so that this file names none: `ingest` (metering/intake-contract) and `mqtt`
 * (equipment/gateway-link).
 */
export interface Deps {
  readonly config: Config
  readonly database: Database
  /** Read replicas of the database; undefined without. */
  readonly replicas?: Replicas | undefined
  /** Reads of tenants on the nodes of a distributed database; undefined in tools. */
  readonly nodeReads?: NodeReads | undefined
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly mail: Mailer
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly passwords: Passwords
  readonly background: Background
  readonly bus: Bus
  readonly broker: Broker
  /** To the other processes of the service; undefined in a process that is the only one. */
  readonly link?: ProcessLink | undefined
  /** Never a target of a connection that a tenant configures. */
  readonly ownEndpoints: OwnEndpoints
}
