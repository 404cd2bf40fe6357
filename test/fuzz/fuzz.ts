import { setTimeout as sleep } from 'node:timers/promises'
import { type Caller, responseFaults } from './checks.ts'
import { makeClient, type NoResponse, type RawResponse } from './client.ts'
import type { Operation } from './document.ts'
import type { FuzzOptions } from './options.ts'
import { type KnownRecord, makePool, type Pool } from './pool.ts'
import { type FuzzRandom, makeFuzzRandom } from './random.ts'
import { type Finding, makeFindings } from './report.ts'
import { type FuzzRequest, type Mode, requestFor } from './requests.ts'
import { lifecyclesOf, type Step, stepsOf } from './sequences.ts'

export interface FuzzUser {
  readonly name: string
  readonly caller: Caller
  /** Users of one tenant share the records that they know. */
  readonly tenant: number
  /** Whether it creates the first records of its tenant. */
  readonly isCreator: boolean
  /** Percentage of the requests. */
  readonly share: number
  /** The current access token; undefined: none is sent. */
  token(): Promise<string | undefined>
}

export interface FuzzTarget {
  readonly baseUrl: string
  readonly users: readonly [FuzzUser, ...FuzzUser[]]
  isProtected(id: string): boolean
  /** Error lines of the service's log since the last call. */
  logFaults(): readonly string[]
  isAlive(): Promise<boolean>
}

export interface FuzzRun {
  readonly operations: readonly Operation[]
  readonly target: FuzzTarget
  readonly options: FuzzOptions
  /** A request without a response after this time counts as hanging. */
  readonly hangMs: number
  readonly onProgress?: (requests: number, findings: number) => void
}

export interface FuzzReport {
  readonly requests: number
  readonly findings: readonly Finding[]
  readonly statuses: ReadonlyMap<number, number>
  /** Operations that never succeeded, with their last response: nothing behind their rules was tested. */
  readonly neverSucceeded: readonly string[]
}

const PROGRESS_EVERY = 500
const REFUSAL_MAX = 160
const SEED_PASSES = 2
const RATE_WAIT_MAX_S = 20
const DAY_MS = 86_400_000

function modeOf(random: FuzzRandom): Mode {
  const number = random.between(1, 100)
  if (number <= 45) return 'valid'
  return number <= 80 ? 'input' : 'protocol'
}

/** Chooses a user by the shares; a superuser for operations that only superusers may use. */
function userFor(
  operation: Operation,
  users: readonly [FuzzUser, ...FuzzUser[]],
  random: FuzzRandom,
): FuzzUser {
  if (/^Access: superusers/m.test(operation.description) && random.chance(80))
    return users.find(({ caller }) => caller === 'superuser') ?? users[0]
  let left = random.between(
    1,
    users.reduce((sum, { share }) => sum + share, 0),
  )
  for (const user of users) {
    left -= user.share
    if (left <= 0) return user
  }
  return users[0]
}

function bodyOf(response: RawResponse): unknown {
  if (!response.headers['content-type']?.includes('json')) return undefined
  try {
    return JSON.parse(response.body.toString()) as unknown
  } catch {
    return undefined
  }
}

/**
 * Sends requests to every operation in rounds of random order, until a limit is reached. A round has one request for
 * each operation, and for each resource a life: create, read, change, delete, use after the deletion. One request is
 * sent at a time, so that a seed always leads to the same requests (except for the ids that the service chooses).
 */
export async function fuzz(run: FuzzRun): Promise<FuzzReport> {
  const { operations, target, options, hangMs, onProgress } = run
  const random = makeFuzzRandom(options.seed)
  const client = makeClient(target.baseUrl, hangMs)
  const pools = new Map<number, Pool>()
  const findings = makeFindings(target.baseUrl)
  const statuses = new Map<number, number>()
  const refused = new Map<string, string>()
  const succeeded = new Set<string>()
  const endsAt = performance.now() + options.minutesMax * 60_000
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  let requests = 0
  let rateLimited = 0

  const poolOf = (tenant: number): Pool => {
    const pool = pools.get(tenant) ?? makePool(operations, target.isProtected)
    pools.set(tenant, pool)
    return pool
  }
  const isOver = (): boolean => requests >= options.requestsMax || performance.now() > endsAt

  /** Waits when the service limits every request, and not only an operation with a stricter limit. */
  async function wait(response: RawResponse | NoResponse): Promise<void> {
    const isLimited = response.kind === 'response' && response.status === 429
    rateLimited = isLimited ? rateLimited + 1 : 0
    if (isLimited && rateLimited > 1)
      await sleep(1000 * Math.min(RATE_WAIT_MAX_S, Number(response.headers['retry-after'] ?? 1)))
  }

  function contextOf(operation: Operation, user: FuzzUser, record: KnownRecord | undefined) {
    // Some requests use the ids of another tenant.
    const tenants = [...pools.keys()]
    const pool = random.chance(95) ? poolOf(user.tenant) : poolOf(random.choose(tenants) ?? user.tenant)
    return {
      random,
      today,
      records: record ? [record] : pool.ofPath(operation.path),
      idsOf: (field: string) => pool.ofField(field, operation.path).map(({ id }) => id),
    }
  }

  async function send(request: FuzzRequest, user: FuzzUser): Promise<RawResponse | NoResponse> {
    const token = await user.token()
    const headers =
      token === undefined ? request.headers : { Authorization: `Bearer ${token}`, ...request.headers }
    const sent = { ...request, headers }
    const response = await client.send(sent)
    requests += 1
    const where = { response, number: requests }
    for (const fault of responseFaults(sent, response, user.caller)) findings.add(fault, sent, where)
    for (const line of target.logFaults()) findings.add(`error in the log: ${line}`, sent, where)
    if (response.kind === 'none' && !(await target.isAlive()))
      findings.add('the service has stopped', sent, where)
    if (response.kind === 'response') statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (requests % PROGRESS_EVERY === 0) onProgress?.(requests, findings.all.length)
    await wait(response)
    return response
  }

  /** Sends one request; returns the record that it created. */
  async function play(step: Step, record?: KnownRecord, by?: FuzzUser): Promise<KnownRecord | undefined> {
    const { operation } = step
    const user = by ?? userFor(operation, target.users, random)
    const mode = step.mode ?? modeOf(random)
    const request = requestFor(operation, mode, contextOf(operation, user, record))
    const response = await send(request, user)
    if (response.kind === 'none' || request.isOffPath) return undefined
    if (response.status < 200 || response.status > 299) {
      if (mode === 'valid' && response.status !== 401)
        refused.set(operation.id, `${response.status} ${response.body.toString().slice(0, REFUSAL_MAX)}`)
      return undefined
    }
    succeeded.add(operation.id)
    const body = bodyOf(response)
    const lastId = Object.values(request.params).at(-1)
    if (operation.method === 'DELETE' && lastId !== undefined && random.chance(80))
      poolOf(user.tenant).forget(operation.path, lastId)
    poolOf(user.tenant).learn(operation, request.params, body)
    const { id } = (body ?? {}) as { id?: unknown }
    return typeof id === 'string' && !target.isProtected(id) ? { params: request.params, id } : undefined
  }

  /** A record is created by one user and used by the same one, in a random order, and after its deletion. */
  async function playLifecycle(lifecycle: ReturnType<typeof lifecyclesOf>[number]): Promise<void> {
    const user = userFor(lifecycle.create, target.users, random)
    const record = await play({ operation: lifecycle.create, mode: 'valid' }, undefined, user)
    if (!record) return
    for (const step of stepsOf(lifecycle, random)) {
      if (isOver()) return
      await play(step, record, random.chance(85) ? user : undefined)
    }
  }

  /** Creates records in both tenants first, because most operations need some. */
  async function createRecords(): Promise<void> {
    const creates = operations.filter(
      ({ method, responses }) => method === 'POST' && responses['201'] !== undefined,
    )
    const creators = target.users.filter(({ isCreator }) => isCreator)
    for (const operation of Array.from({ length: SEED_PASSES }, () => creates).flat())
      for (const user of creators) if (!isOver()) await play({ operation, mode: 'valid' }, undefined, user)
  }

  const wanted = ({ id, method, path }: Operation): boolean =>
    options.filter === undefined || `${id} ${method} ${path}`.includes(options.filter)
  const chosen = operations.filter(wanted)
  const lifecycles = lifecyclesOf(operations).filter((one) =>
    [one.create, ...one.uses, ...one.ends].some(wanted),
  )
  if (chosen.length === 0) throw new Error(`no operation matches ${options.filter}`)
  try {
    await createRecords()
    while (!isOver()) {
      for (const item of random.shuffle([...chosen, ...lifecycles])) {
        if (isOver()) break
        if ('create' in item) await playLifecycle(item)
        else await play({ operation: item })
      }
    }
  } finally {
    client.close()
  }
  return {
    requests,
    findings: findings.all,
    statuses,
    neverSucceeded: chosen
      .filter(({ id }) => !succeeded.has(id))
      .map(({ id }) => `${id}: ${refused.get(id) ?? 'no valid request was sent'}`),
  }
}
