import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Database } from './db/pool.ts'
import type { Mailer } from './mail.ts'

/** The only source of the present: tests hold it still or move it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

/** Everything that the code needs from outside; handed down, never reached for. */
export interface Deps {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly mail: Mailer
}
