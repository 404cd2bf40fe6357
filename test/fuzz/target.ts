import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FuzzTarget, FuzzUser } from './fuzz.ts'

/** Where the service is, and how its superuser signs in. */
export interface Deployment {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  readonly logFaults: () => readonly string[]
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly body: Record<string, unknown>
}

const RATE_LIMIT_RETRIES = 20
/** Access tokens are renewed well before they expire. */
const TOKEN_AGE_MAX_MS = 10 * 60_000
const randomText = (): string => randomBytes(6).toString('hex')

interface CallOptions {
  readonly token?: string | undefined
  readonly body?: object
}

async function call(url: string, method: string, { token, body }: CallOptions = {}): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status !== 429 || attempt >= RATE_LIMIT_RETRIES)
      return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> }
    await sleep(1000 * Number(response.headers.get('retry-after') ?? 1))
  }
}

async function expectStatus(status: number, answer: Promise<Answer>): Promise<Answer['body']> {
  const { status: actual, text, body } = await answer
  if (actual !== status) throw new Error(`the preparation of the run failed: ${actual} ${text}`)
  return body
}

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Signs in again before the token expires. */
function tokenOf(baseUrl: string, credentials: Credentials): () => Promise<string> {
  let current: { token: string; at: number } | undefined
  return async () => {
    if (current && performance.now() - current.at < TOKEN_AGE_MAX_MS) return current.token
    const body = await expectStatus(200, call(`${baseUrl}/api/auth/login`, 'POST', { body: credentials }))
    current = { token: String(body['access_token']), at: performance.now() }
    return current.token
  }
}

interface Prepared {
  readonly admin: () => Promise<string>
  /** Approves what the other admin has requested. */
  readonly colleague: () => Promise<string>
  readonly operator: () => Promise<string>
  readonly viewer: () => Promise<string>
  /** Ids of the users and roles. */
  readonly ids: readonly string[]
}

async function prepareTenant(baseUrl: string, superuser: string): Promise<Prepared> {
  const password = `Fuzz-${randomText()}-1`
  const adminEmail = `admin-${randomText()}@fuzz.test`
  await expectStatus(
    201,
    call(`${baseUrl}/api/v1/admin/tenants`, 'POST', {
      token: superuser,
      body: { name: `Fuzz ${randomText()}`, admin_email: adminEmail, admin_password: password },
    }),
  )
  const admin = tokenOf(baseUrl, { email: adminEmail, password })
  const token = await admin()
  const roles = (await expectStatus(200, call(`${baseUrl}/api/roles`, 'GET', { token })))['items'] as {
    id: string
    name: string
  }[]
  const createUser = async (roleName: string) => {
    const email = `${roleName}-${randomText()}@fuzz.test`
    const role = roles.find(({ name }) => name === roleName)
    const body = { email, password, role_ids: [role?.id] }
    await expectStatus(201, call(`${baseUrl}/api/users`, 'POST', { token, body }))
    return tokenOf(baseUrl, { email, password })
  }
  const colleague = await createUser('admin')
  const operator = await createUser('operator')
  const viewer = await createUser('viewer')
  const users = (await expectStatus(200, call(`${baseUrl}/api/users`, 'GET', { token })))['items'] as {
    id: string
  }[]
  return { admin, colleague, operator, viewer, ids: [...users, ...roles].map(({ id }) => id) }
}

/** Creates two tenants with an admin, an operator and a viewer each. */
export async function prepareTarget({
  baseUrl,
  email,
  password,
  logFaults,
}: Deployment): Promise<FuzzTarget> {
  const superuser = tokenOf(baseUrl, { email, password })
  const token = await superuser()
  const own = await expectStatus(200, call(`${baseUrl}/api/auth/me`, 'GET', { token }))
  const [a, b] = [await prepareTenant(baseUrl, token), await prepareTenant(baseUrl, token)]
  const protectedIds = new Set([...a.ids, ...b.ids, String(own['id'])])
  const user = (name: string, tenant: number, share: number, tokenNow: FuzzUser['token']): FuzzUser => ({
    name,
    tenant,
    share,
    token: tokenNow,
    isCreator: name.startsWith('admin'),
    caller: name === 'superuser' ? 'superuser' : /nobody|forger/.test(name) ? 'nobody' : 'user',
  })
  return {
    baseUrl,
    users: [
      user('admin', 1, 52, a.admin),
      user('colleague', 1, 10, a.colleague),
      user('operator', 1, 8, a.operator),
      user('viewer', 1, 6, a.viewer),
      user('admin of another tenant', 2, 14, b.admin),
      user('superuser', 0, 5, superuser),
      user('nobody', 1, 3, () => Promise.resolve(undefined)),
      user('forger', 1, 2, () => Promise.resolve('eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.')),
    ],
    isProtected: (id) => protectedIds.has(id),
    logFaults,
    isAlive: () =>
      fetch(`${baseUrl}/health`).then(
        ({ status }) => status === 200,
        () => false,
      ),
  }
}
