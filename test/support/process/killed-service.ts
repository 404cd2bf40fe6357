import { randomBytes } from 'node:crypto'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { citusNodes } from '../citus.ts'
import { createDatabase } from '../database.ts'
import { makeDataFolder } from '../folder.ts'
import { type Audit, audit, resend } from '../metering/sample-audit.ts'
import { isAcknowledged, type Load, type SentBatch, startLoad, type Target } from '../metering/sample-load.ts'
import { makeRandom, type Random } from '../seed.ts'
import { waitFor } from '../wait-for.ts'
import { callService } from './call.ts'
import { type RunningService, startService } from './service.ts'

const EMAIL = 'operator@plant.example'
const PASSWORD = 'kept through 9 kills'
const DEVICES = 8
/** Far more than needed: a busy machine has taken a minute. */
const RECOVERY_MAX_MS = 240_000

/**
 * What is killed: the service alone, the database server with it, before or after, or the server alone under
 * the service.
 */
export type Victims = 'service' | 'service, then server' | 'server, then service' | 'server'

/** An installation in a separate folder, whose service can be killed and started again. */
export interface Installation {
  readonly isEmbedded: boolean
  /** DATA_DIR. */
  readonly folder: string
  readonly service: RunningService
  readonly target: Target
  /** Starts the service on the same folder and signs in again. */
  start(): Promise<void>
  kill(victims: Victims): Promise<void>
  /** Restores the state before the kill; starts the service when it was killed. */
  recover(victims: Victims): Promise<void>
  /** Pauses every process of the embedded server; returns a function that resumes them. */
  freeze(): Promise<() => void>
  /** Kills the embedded server and prevents its start; returns a function that permits the start again. */
  breakServer(): Promise<() => Promise<void>>
  /** Ends every remaining process and removes all files. */
  remove(): Promise<void>
}

interface OutsideDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A database without data on DATABASE_URL, when that is set: then the service alone can be killed. */
async function openOutside(): Promise<OutsideDatabase | undefined> {
  const server = process.env['DATABASE_URL']
  if (!server) return undefined
  if (citusNodes.length > 0) return createDatabase()
  const name = `netsaat_killed_${randomBytes(6).toString('hex')}`
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) }
}

/** The user that signs in at every service of these tests. */
export const ADMIN = { NETSAAT_ADMIN_EMAIL: EMAIL, NETSAAT_ADMIN_PASSWORD: PASSWORD }

export async function logIn(url: string): Promise<string> {
  const login = { email: EMAIL, password: PASSWORD }
  return (await callService('POST', `${url}/api/auth/login`, undefined, login)).access_token
}

/** Meters 0 to 7 of the tenant of the token. */
export const createDevices = (url: string, token: string): Promise<string[]> =>
  Promise.all(
    Array.from({ length: DEVICES }, async (_, index) => {
      const device = { name: `meter ${index}`, device_type: 'energy_analyzer' }
      return (await callService('POST', `${url}/api/devices`, token, device)).id as string
    }),
  )

/**
 * Creates an installation with a few devices; the database is the embedded one unless DATABASE_URL is set.
 */
export async function install(env: Readonly<Record<string, string>> = {}): Promise<Installation> {
  const outside = await openOutside()
  const folder = await makeDataFolder('killed')
  const settings = {
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...ADMIN,
    RATE_LIMIT_API_PER_SECOND: '0',
    RATE_LIMIT_LOGIN_PER_MINUTE: '0',
    ...(outside && { DATABASE_URL: outside.url }),
    ...env,
  }
  let service: RunningService | undefined
  let target: Target | undefined
  const running = (): RunningService => {
    if (!service) throw new Error('the installation was not started')
    return service
  }
  const start = async (): Promise<void> => {
    service = await startService({ env: settings })
    const { url } = service
    const token = await logIn(url)
    target = { url, token, deviceIds: target?.deviceIds ?? (await createDevices(url, token)) }
  }
  const remove = async (): Promise<void> => {
    await service?.stop('SIGTERM')
    await outside?.drop()
    // The server of a killed service may still be stopping.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }
  const installation: Installation = {
    isEmbedded: !outside,
    folder: settings.DATA_DIR,
    get service() {
      return running()
    },
    get target() {
      if (!target) throw new Error('the installation was not started')
      return target
    },
    start,
    remove,
    async freeze() {
      const pids = await withChildren(await serverOf(folder))
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT')
      }
    },
    async breakServer() {
      const control = join(folder, 'postgres', 'cluster', 'global', 'pg_control')
      await rename(control, `${control}.away`)
      await installation.kill('server')
      return () => rename(`${control}.away`, control)
    },
    async recover(victims) {
      if (victims !== 'server') return start()
      const isReady = async () => {
        const answer = await fetch(`${running().url}/readiness`).catch(async (error: unknown) => {
          // Its last output may still arrive.
          await sleep(1_000)
          throw new Error(`the service is gone as well:\n${running().err().slice(-4000)}`, { cause: error })
        })
        return answer.status === 200
      }
      await waitFor(isReady, RECOVERY_MAX_MS)
    },
    async kill(victims) {
      if (victims === 'service') return void (await running().stop('SIGKILL'))
      const server = await serverOf(folder)
      if (victims === 'server') return (await withChildren(server)).forEach(killIfThere)
      if (victims === 'service, then server') await running().stop('SIGKILL')
      killIfThere(server)
      if (victims === 'server, then service') {
        // Long enough for the service to acknowledge samples that it wrongly counts as stored.
        await sleep(150)
        await running().stop('SIGKILL')
      }
    },
  }
  await start().catch(async (error: unknown) => {
    await remove()
    throw error
  })
  return installation
}

async function serverOf(folder: string): Promise<number> {
  const pidFile = await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  return Number(pidFile.split('\n')[0])
}

/** The server and its child processes (Linux). */
async function withChildren(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.trim().split(' ').map(Number)]
}

/** The server ends by itself when its service does, so it may be gone already. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export interface Round extends Audit {
  readonly sent: readonly SentBatch[]
  /** After the last step of this round. */
  readonly nextStep: number
  readonly isReady: boolean
  /** From the kill to the service being ready again. */
  readonly restartMs: number
}

/** Starts to send samples from a step on. */
type StartLoad = (installation: Installation, random: Random, firstStep: number) => Load

const overHttp: StartLoad = ({ target }, random, firstStep) => startLoad(target, random, firstStep)

interface RoundOptions {
  readonly load: StartLoad
  readonly random: Random
  readonly victims: Victims
  readonly firstStep: number
}

/**
 * Sends load, kills at a random moment, starts again, compares, sends everything again and compares again.
 * Half of the kills follow directly on an acknowledgement, which would reveal a premature one.
 */
async function playRound(
  installation: Installation,
  { load: begin, random, victims, firstStep }: RoundOptions,
): Promise<Round> {
  const load = begin(installation, random, firstStep)
  await load.acknowledged(random.between(1, 60))
  if (random.between(0, 1) === 0) await sleep(random.between(0, 700))
  const killedAt = performance.now()
  await installation.kill(victims)
  if (victims === 'server') await goOn(installation, load)
  const sent = await load.end()
  await installation.recover(victims)
  const restartMs = performance.now() - killedAt
  const { status } = await fetch(`${installation.service.url}/readiness`)
  const first = await audit(installation.target, sent)
  const { again, faults } = await resend(installation.target, sent)
  const last = await audit(installation.target, again)
  return {
    sent,
    nextStep: Math.max(...sent.map(({ from, count }) => from + count)),
    restartMs,
    isReady: status === 200,
    acknowledged: first.acknowledged,
    stored: last.stored,
    faults: [
      ...first.faults,
      ...faults,
      ...last.faults,
      ...(victims === 'server' ? sent.flatMap(faultOfSurvivor) : []),
    ],
  }
}

/** The service runs: it accepts samples again as soon as its database is back. */
async function goOn(installation: Installation, load: Load): Promise<void> {
  await installation.recover('server')
  await load.acknowledged(load.sent.filter(isAcknowledged).length + 10)
}

/** A service that lost only its database answers nothing other than "later". */
function faultOfSurvivor({ from, outcome }: SentBatch): string[] {
  const isFine = outcome.kind === 'answered' && [201, 503].includes(outcome.status)
  return isFine ? [] : [`steps from ${from}: ${JSON.stringify(outcome)}`]
}

export interface RoundsOptions {
  readonly seed: number
  /** One round each. */
  readonly victims: readonly Victims[]
  /** For the reader of the test output. */
  readonly print: (line: string) => void
  /** Over HTTP when absent. */
  readonly load?: StartLoad
}

/** Runs one round after another on the same data. */
export async function playRounds(
  installation: Installation,
  { seed, victims, print, load = overHttp }: RoundsOptions,
): Promise<readonly Round[]> {
  print(`kill -9 on ${installation.isEmbedded ? 'the embedded database' : 'DATABASE_URL'}, SEED=${seed}`)
  const random = makeRandom(seed)
  const rounds: Round[] = []
  for (const [index, victim] of victims.entries()) {
    const options = { load, random, victims: victim, firstStep: rounds.at(-1)?.nextStep ?? 0 }
    const round = await playRound(installation, options)
    rounds.push(round)
    print(describeRound(index + 1, victim, round))
  }
  return rounds
}

function describeRound(number: number, victims: Victims, round: Round): string {
  const requests = `${round.sent.filter(isAcknowledged).length} of ${round.sent.length} requests`
  return (
    `round ${number}: killed the ${victims}; ${requests}, ${round.acknowledged} samples acknowledged; ` +
    `ready again after ${(round.restartMs / 1000).toFixed(1)} s; ${round.faults.length} faults`
  )
}
