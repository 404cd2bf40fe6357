import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../support/process/service.ts'
import type { Deployment } from './target.ts'

export interface OwnService extends Deployment {
  /** Ends the service; returns its exit code. */
  stop(): Promise<number | null>
}

/** Limits would answer most requests of a fast run with 429. */
const NO_LIMITS = Object.fromEntries(
  [
    'RATE_LIMIT_LOGIN_PER_MINUTE',
    'RATE_LIMIT_LOGIN_FAILURES',
    'RATE_LIMIT_REFRESH_PER_MINUTE',
    'RATE_LIMIT_CHANGE_PASSWORD_PER_MINUTE',
    'RATE_LIMIT_API_PER_SECOND',
    'RATE_LIMIT_RESET_PER_EMAIL_HOUR',
    'RATE_LIMIT_RESET_PER_ADDRESS_HOUR',
  ].map((name) => [name, '0']),
)
const PINO_ERROR = 50

/** Whether a line of the output reports a fault of the service: an error, or text that is no log line. */
function isFault(line: string): boolean {
  if (!line.startsWith('{')) return /unhandled|uncaught|Error:/i.test(line)
  try {
    return ((JSON.parse(line) as { level?: number }).level ?? 0) >= PINO_ERROR
  } catch {
    return true
  }
}

/** Starts the service with an embedded database in a temporary folder, and reads its log. */
export async function startOwnService(): Promise<OwnService> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-fuzz-'))
  const email = 'admin@localhost'
  const password = `Fuzz-${randomBytes(6).toString('hex')}-1`
  const service = await startService({
    env: {
      ...NO_LIMITS,
      DATA_DIR: folder,
      PORT: '0',
      MQTT_PORT: '0',
      LOG_LEVEL: 'warn',
      NETSAAT_ADMIN_EMAIL: email,
      NETSAAT_ADMIN_PASSWORD: password,
      CREDENTIAL_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PUBLIC_BASE_URL: 'https://netsaat.invalid',
      MARKETOP_AUTH_URL: 'https://market.invalid/login',
      MARKETOP_API_URL: 'https://market.invalid/',
      TENANT_SIGNUP_ENABLED: 'true',
    },
  })
  const read = { out: 0, err: 0 }
  /** The lines of an output since the last call; the last line may still be incomplete. */
  const newLines = (name: 'out' | 'err'): string[] => {
    const text = service[name]()
    if (text.length === read[name]) return []
    const end = text.lastIndexOf('\n') + 1
    const lines = text.slice(read[name], end).split('\n')
    read[name] = Math.max(end, read[name])
    return lines
  }
  return {
    baseUrl: service.url,
    email,
    password,
    logFaults: () => [...newLines('out'), ...newLines('err')].filter(isFault),
    async stop() {
      const { code } = await service.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
      return code
    },
  }
}
