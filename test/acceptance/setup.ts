/**
 * Prepares the acceptance tests: finds the service (BASE_URL, or one of this checkout in a separate process),
 * signs in as its superuser and creates one tenant with an admin, an operator and a viewer. Four sign-ins
 * stay below the limit of five in a minute that a deployment has, so the tests share these tokens, which
 * `renew-tokens.ts` replaces before they expire.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { request } from './request.ts'
import { type Account, signIn } from './sign-in.ts'

type PreparedUser = 'superuser' | 'admin' | 'operator' | 'viewer'

export interface AcceptanceTarget {
  readonly baseUrl: string
  /** A service of this checkout, in which a test may change what counts for all tenants. */
  readonly isOwnService: boolean
  readonly accounts: Readonly<Record<PreparedUser, Account>>
  readonly tokens: Readonly<Record<PreparedUser, string>>
  /** When the tokens were issued, epoch milliseconds. */
  readonly issuedAt: number
}

declare module 'vitest' {
  interface ProvidedContext {
    acceptance: AcceptanceTarget
  }
}

interface Service {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  stop(): Promise<void>
}

const START_MAX_MS = 240_000
const PROGRAM = fileURLToPath(new URL('../../bin/netsaat.js', import.meta.url))
const randomText = (): string => randomBytes(6).toString('hex')

function deployedService(baseUrl: string): Service {
  const email = process.env['ACCEPTANCE_EMAIL']
  const password = process.env['ACCEPTANCE_PASSWORD']
  if (!email || !password) throw new Error('BASE_URL needs ACCEPTANCE_EMAIL and ACCEPTANCE_PASSWORD as well')
  return { baseUrl: baseUrl.replace(/\/$/, ''), email, password, stop: async () => {} }
}

/** Resolves with the address that the service prints when it is ready. */
function readyUrl(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the service is not ready:\n${output}`)), START_MAX_MS)
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}:\n${output}`)))
    const read = (data: Buffer) => {
      output += String(data)
      const url = /ready at (\S+)/.exec(output)?.[1]
      if (!url) return
      clearTimeout(timer)
      resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
  })
}

async function startOwnService(): Promise<Service> {
  // Otherwise the embedded one (`tools/citus/acceptance.ts`).
  const databaseUrl = process.env['ACCEPTANCE_DATABASE_URL']
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-acceptance-'))
  const email = 'admin@localhost'
  const password = `Acceptance-${randomText()}-1`
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: folder,
      PORT: '0',
      MQTT_PORT: '0',
      NETSAAT_ADMIN_EMAIL: email,
      NETSAAT_ADMIN_PASSWORD: password,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
  try {
    return { baseUrl: await readyUrl(child), email, password, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Creates a tenant with a user of each kind; the admin of the tenant signs in for it. */
async function createTenant(baseUrl: string, superuser: string) {
  const password = `Tenant-${randomText()}-1`
  const accountOf = (name: string): Account => ({
    email: `${name}-${randomText()}@acceptance.test`,
    password,
  })
  const [admin, operator, viewer] = [accountOf('admin'), accountOf('operator'), accountOf('viewer')]
  const tenant = await request(baseUrl, 'POST', '/api/v1/admin/tenants', {
    token: superuser,
    body: { name: `Acceptance ${randomText()}`, admin_email: admin.email, admin_password: password },
  })
  if (tenant.status !== 201) throw new Error(`no tenant: ${tenant.status} ${tenant.text}`)
  const token = await signIn(baseUrl, admin)
  const roles = await request(baseUrl, 'GET', '/api/roles', { token })
  for (const [roleName, account] of Object.entries({ operator, viewer })) {
    const role = roles.body.items.find(({ name }: { name: string }) => name === roleName)
    const body = { ...account, role_ids: [role.id] }
    const user = await request(baseUrl, 'POST', '/api/users', { token, body })
    if (user.status !== 201) throw new Error(`no ${roleName}: ${user.status} ${user.text}`)
  }
  return { accounts: { admin, operator, viewer }, token }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // vitest sets BASE_URL to '/' when the shell does not.
  const baseUrl = process.env['BASE_URL']
  const isDeployed = baseUrl?.startsWith('http') ?? false
  const service = baseUrl && isDeployed ? deployedService(baseUrl) : await startOwnService()
  try {
    const { baseUrl: url, email, password } = service
    const issuedAt = Date.now()
    const superuser = await signIn(url, { email, password })
    const { accounts, token } = await createTenant(url, superuser)
    const [operator, viewer] = [await signIn(url, accounts.operator), await signIn(url, accounts.viewer)]
    project.provide('acceptance', {
      baseUrl: url,
      isOwnService: !isDeployed,
      accounts: { superuser: { email, password }, ...accounts },
      tokens: { superuser, admin: token, operator, viewer },
      issuedAt,
    })
  } catch (error) {
    await service.stop()
    throw error
  }
  return () => service.stop()
}
