import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { findNative } from '../../../src/platform/embedded-postgres/binaries.ts'
import {
  type EmbeddedPostgres,
  type StartOptions,
  startIn,
} from '../../../src/platform/embedded-postgres/postgres.ts'
import { run } from '../../../src/platform/embedded-postgres/run-as.ts'

export const isRoot = process.getuid?.() === 0
const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, switched: false }
/** Another user can load the code from here. */
export const isOpenToOthers =
  (await run({ uid: 65_534, gid: 65_534, switched: isRoot }, 'test', ['-r', fileURLToPath(import.meta.url)]))
    .code === 0
export const hasSetpriv = (await run(self, 'setpriv', ['--pdeathsig', 'INT', '--', 'true'])).code === 0

/** Processes and folders that a test leaves behind, in the order of their creation. */
const leftovers: (() => Promise<unknown> | unknown)[] = []

export async function cleanUp(): Promise<void> {
  for (const undo of leftovers.splice(0).reverse()) await undo()
}

/** Readable by everybody, unlike mkdtemp's own mode: as root the server's user must be able to enter. */
export function temporaryFolder(mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), 'netsaat-embedded-'))
  chmodSync(folder, mode)
  leftovers.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let template: Promise<string> | undefined

/** For the end of a file that prepares folders. */
export async function removeTemplate(): Promise<void> {
  const folder = await template
  template = undefined
  if (folder) rmSync(folder, { recursive: true, force: true })
}

/** A DATA_DIR with an initialized database: copying one is three times as fast as creating one. */
export async function preparedFolder(): Promise<string> {
  template ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'netsaat-template-'))
    chmodSync(folder, 0o755)
    const embedded = await startIn(
      { findNative, sharedHome: join(folder, 'shared') },
      { dataDir: folder, log: new RecordingLog(), settings: { fsync: 'off' } },
    )
    await embedded.stop()
    return folder
  })()
  const folder = temporaryFolder()
  const copy = spawnSync('cp', ['-a', `${await template}/.`, folder])
  if (copy.status !== 0) throw new Error(copy.stderr.toString())
  return folder
}

export class RecordingLog {
  readonly lines: string[] = []
  info(fields: object | string, message?: string) {
    this.lines.push(`info ${message ?? ''} ${JSON.stringify(fields)}`)
  }
  warn(fields: object | string, message?: string) {
    this.lines.push(`warn ${message ?? ''} ${JSON.stringify(fields)}`)
  }
}

export interface Start extends Partial<StartOptions> {
  sharedHome?: string
  find?: typeof findNative
}

/**
 * Without fsync unless the test asks otherwise: a killed process loses nothing by it, only a power cut does.
 */
export async function start(dataDir: string, options: Start = {}): Promise<EmbeddedPostgres> {
  const { sharedHome = join(dataDir, 'shared'), find = findNative, ...rest } = options
  const embedded = await startIn(
    { findNative: find, sharedHome },
    { dataDir, log: new RecordingLog(), settings: { fsync: 'off' }, ...rest },
  )
  leftovers.push(() => embedded.stop())
  return embedded
}

export async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

export async function countRows(url: string): Promise<number> {
  const [row] = await query<{ n: number }>(url, 'select count(*)::int as n from kept')
  return row?.n ?? -1
}

export interface Service {
  child: ChildProcess
  answer: { url: string; ownerUrl: string; dataFolder: string; notes: string[]; error?: string }
}

/** Runs database-service.ts as a separate process and waits for its line. */
export async function startService(
  dataDir: string,
  options: { uid?: number; gid?: number; path?: string } = {},
): Promise<Service> {
  const script = fileURLToPath(new URL('./database-service.ts', import.meta.url))
  const { uid, gid, path } = options
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), script, dataDir, `${dataDir}/shared`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(path !== undefined && { PATH: path }) },
      ...(uid !== undefined && gid !== undefined && { uid, gid }),
    },
  )
  leftovers.push(async () => {
    child.kill('SIGTERM')
    await hasEnded(child)
  })
  const ended = hasEnded(child).then(() => '{"error":"ended without a word"}')
  const line = await Promise.race([firstLine(child), ended])
  return { child, answer: JSON.parse(line) as Service['answer'] }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no stdout')
  for await (const line of createInterface({ input: child.stdout })) return line
  return new Promise(() => undefined)
}

export function hasEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

export async function killHard(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await hasEnded(child)
}

/** Polls for a minute. */
export async function eventually(check: () => Promise<boolean> | boolean): Promise<boolean> {
  for (let i = 0; i < 1_200; i++) {
    if (await check()) return true
    await sleep(50)
  }
  return false
}

export const filesIn = (folder: string) => readdirSync(folder).sort()
