import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OUTGOING_CALL_TIMEOUT_MS } from '../kernel/limits.ts'
import { generatePassword } from '../platform/auth/password.ts'

/** A record as the public API shows it. */
export type Shown = Readonly<Record<string, unknown>>

/** The public API of the running demo, as any customer has it. */
export interface Client {
  readonly token: string
  get(path: string): Promise<unknown>
  list(path: string): Promise<Shown[]>
}

export const text = (record: Shown, field: string): string => String(record[field] ?? '')

const TRIES_MAX = 5

/** Somebody at the same address may have used up the rate, so a 429 is waited out. */
async function request(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(OUTGOING_CALL_TIMEOUT_MS) })
    if (answer.status !== 429 || tries === TRIES_MAX) return answer
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000)
  }
}

/** Undefined when the login is not known. */
export async function signIn(url: string, login: DemoLogin): Promise<Client | undefined> {
  const answer = await request(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  if (answer.status === 401) return undefined
  if (!answer.ok) throw new Error(`the login was answered with ${answer.status}`)
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const get = async (path: string): Promise<unknown> => {
    const response = await request(`${url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`GET ${path} was answered with ${response.status}`)
    return response.json()
  }
  /** Plain arrays and pages alike; the demo is small enough for one of either. */
  const list = async (path: string): Promise<Shown[]> => {
    const body = (await get(path)) as Shown[] | { readonly items: Shown[] }
    return 'items' in body ? body.items : body
  }
  return { token, get, list }
}

export interface DemoLogin {
  readonly email: string
  readonly password: string
}

const FILE = 'demo-login.json'

/** The login that the data folder keeps; made at the first start, readable by the service's user only. */
export async function keepLogin(dataDir: string, email: string): Promise<DemoLogin> {
  try {
    return JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as DemoLogin
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return replaceLogin(dataDir, email)
}

/** Written whole before it is used, so that a cut never leaves a tenant whose password nobody knows. */
async function replaceLogin(dataDir: string, email: string): Promise<DemoLogin> {
  const login = { email, password: generatePassword() }
  const draft = join(dataDir, `${FILE}.new`)
  await writeFile(draft, `${JSON.stringify(login)}\n`, { mode: 0o600, flush: true })
  await rename(draft, join(dataDir, FILE))
  return login
}

/** A further login, for a database whose demo was loaded from another data folder. */
export const makeFurtherLogin = (dataDir: string, email: string): Promise<DemoLogin> =>
  replaceLogin(dataDir, email.replace('@', `-${randomBytes(4).toString('hex')}@`))
