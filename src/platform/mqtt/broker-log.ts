import type { FastifyBaseLogger } from 'fastify'

/** The levels that the broker logs at. */
export type BrokerLog = Pick<FastifyBaseLogger, 'warn' | 'info' | 'debug'>
