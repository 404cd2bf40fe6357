import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePassword } from '../platform/auth/password.ts'

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
