import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OUTGOING_CALL_TIMEOUT_MS } from '../kernel/limits.ts'
import { generatePassword } from '../platform/auth/password.ts'

/** A record as the public API returns it. */
export type ApiRecord = Readonly<Record<string, unknown>>

/** A client of the public API of the running demo. */
export interface Client {
  readonly token: string
  get(path: string): Promise<unknown>
  list(path: string): Promise<ApiRecord[]>
}

export const text = (record: ApiRecord, field: string): string => String(record[field] ?? '')

const TRIES_MAX = 5

/**
 * Repeats a request after a 429, because another client at the same address may have used up the rate
 * limit.
 */
async function request(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(OUTGOING_CALL_TIMEOUT_MS) })
    if (response.status !== 429 || tries === TRIES_MAX) return response
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
  }
}

/** Logs in; resolves with undefined when the login is not known. */
export async function signIn(url: string, login: DemoLogin): Promise<Client | undefined> {
  const response = await request(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  if (response.status === 401) return undefined
  if (!response.ok) throw new Error(`the login was answered with ${response.status}`)
  const { access_token: token } = (await response.json()) as { access_token: string }
  const get = async (path: string): Promise<unknown> => {
    const response = await request(`${url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`GET ${path} was answered with ${response.status}`)
    return response.json()
  }
  /** Returns the items of a plain array or of a page; one page contains all records of the demo. */
  const list = async (path: string): Promise<ApiRecord[]> => {
    const body = (await get(path)) as ApiRecord[] | { readonly items: ApiRecord[] }
    return 'items' in body ? body.items : body
  }
  return { token, get, list }
}

export interface DemoLogin {
  readonly email: string
  readonly password: string
}

const FILE = 'demo-login.json'

/**
 * Returns the login that the data folder stores. It is generated at the first start and readable by the
 * service's user only.
 */
export async function keepLogin(dataDir: string, email: string): Promise<DemoLogin> {
  try {
    return JSON.parse(await readFile(join(dataDir, FILE), 'utf8')) as DemoLogin
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return replaceLogin(dataDir, email)
}

/**
 * Writes the login completely before it is used, so that an interruption never leaves a tenant with an
 * unknown password.
 */
async function replaceLogin(dataDir: string, email: string): Promise<DemoLogin> {
  const login = { email, password: generatePassword() }
  const draft = join(dataDir, `${FILE}.new`)
  await writeFile(draft, `${JSON.stringify(login)}\n`, { mode: 0o600, flush: true })
  await rename(draft, join(dataDir, FILE))
  return login
}

/** Makes a further login, for a database whose demo was loaded from another data folder. */
export const makeFurtherLogin = (dataDir: string, email: string): Promise<DemoLogin> =>
  replaceLogin(dataDir, email.replace('@', `-${randomBytes(4).toString('hex')}@`))
