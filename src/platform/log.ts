import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

/** Structured lines on stderr (stdout carries only the ready line); nothing secret is ever logged. */
export const makeLog = (level: string): FastifyBaseLogger =>
  pino(
    { level, redact: ['req.headers.authorization', 'password', '*.password', '*.token', '*.secret'] },
    pino.destination({ dest: 2, sync: true }),
  )
