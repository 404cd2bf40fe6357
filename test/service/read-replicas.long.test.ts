import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WRITES_COVERED_MS } from '../../src/areas/access/limits.ts'
import { makeDataFolder } from '../support/folder.ts'
import { callService } from '../support/process/call.ts'
import { ADMIN, logIn } from '../support/process/killed-service.ts'
import {
  hasReplication,
  type ReplicatedServers,
  startReplicatedServers,
} from '../support/process/replicated-servers.ts'
import { type RunningService, runNetsaat, startService } from '../support/process/service.ts'
import { waitFor } from '../support/wait-for.ts'

const WAIT_MS = 240_000
/** Longer than the writes of a test take on a slow machine, during which a paused replica is still used. */
const LAG_MAX_S = 60
const READER = { email: 'reader@plant.example', password: 'reads from 2 servers' }

describe.skipIf(!hasReplication)('read replicas (needs pg_basebackup of PostgreSQL 15)', () => {
  let servers: ReplicatedServers
  let folder: string
  let processes: RunningService[]
  let writer: string
  let reader: string

  beforeAll(async () => {
    servers = await startReplicatedServers()
    folder = await makeDataFolder('replicas')
    const env = {
      ...ADMIN,
      DATABASE_URL: servers.primary.url,
      DATABASE_READ_URL: servers.replica.url,
      DATABASE_READ_LAG_MAX_SECONDS: String(LAG_MAX_S),
      DATA_DIR: folder,
      SECRET_KEY: randomBytes(32).toString('hex'),
      PORT: '0',
      RATE_LIMIT_API_PER_SECOND: '0',
      RATE_LIMIT_LOGIN_PER_MINUTE: '0',
    }
    processes = []
    for (const ROLES of ['api', 'api']) processes.push(await startService({ env: { ...env, ROLES } }))
    const args = ['user', 'create', '--tenant', 'default', '--email', READER.email, '--role', 'admin']
    const created = await runNetsaat([...args, '--password-stdin'], env, READER.password)
    if (created.code !== 0) throw new Error(created.err)
    writer = await logIn(urlOf(0))
    reader = (await callService('POST', `${urlOf(0)}/api/auth/login`, undefined, READER)).access_token
    await waitFor(async () => (await notes()).length === 0, WAIT_MS)
  }, 3 * WAIT_MS)
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.stop('SIGTERM')))
    await servers?.remove()
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 })
  }, WAIT_MS)

  const urlOf = (index: number): string => processes[index]?.url ?? ''
  const addRegion = (name: string) => callService('POST', `${urlOf(0)}/api/regions`, writer, { name })
  const namesOf = async (index: number, token: string): Promise<string[]> => {
    const { items } = await callService('GET', `${urlOf(index)}/api/regions?limit=100`, token)
    return items.map(({ name }: { name: string }) => name)
  }
  const notes = async (): Promise<string[]> => {
    const all = await Promise.all(
      processes.map(({ url }) => fetch(`${url}/readiness`).then((one) => one.json())),
    )
    return (all as { notes: string[] }[]).flatMap((one) => one.notes.filter((note) => /replica/.test(note)))
  }
  const figure = async (index: number, name: string): Promise<number> => {
    const text = await (await fetch(`${urlOf(index)}/metrics`)).text()
    const line = text.split('\n').find((one) => one.startsWith(name))
    return Number(line?.split(' ').at(-1) ?? Number.NaN)
  }

  it('execute reads, and the lag is measured', async () => {
    await addRegion('first')
    await waitFor(async () => (await namesOf(1, reader)).includes('first'), WAIT_MS)
    expect(await figure(1, 'netsaat_replica_reads_total{target="replica"}')).toBeGreaterThan(0)
    expect(await figure(1, 'netsaat_replica_usable')).toBe(1)
    expect(await figure(1, 'netsaat_replica_lag_seconds')).toBeLessThan(LAG_MAX_S)
  })

  it('show a client its own writes, whichever process it asks, and others a little later', async () => {
    await servers.replica.query('select pg_wal_replay_pause()')
    await addRegion('second')
    for (const index of [0, 1]) expect(await namesOf(index, writer)).toContain('second')
    // Proves that the other reader reads from the replica, which does not have the row.
    for (const index of [0, 1]) expect(await namesOf(index, reader)).not.toContain('second')
    await servers.replica.query('select pg_wal_replay_resume()')
    await waitFor(async () => (await namesOf(1, reader)).includes('second'), WAIT_MS)
  })

  it('show a client and its API key own writes without a link between the processes', async () => {
    const key = await callService('POST', `${urlOf(0)}/api/api-keys`, writer, {
      name: 'program',
      expires_in_days: 1,
      permissions: ['read:region', 'manage:region'],
    })
    await servers.replica.query('select pg_wal_replay_pause()')
    await servers.primary.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'netsaat-link'`,
    )
    // The user has not written for longer than a record of writes covers, so the first write makes a new one.
    await sleep(2 * WRITES_COVERED_MS)
    for (let round = 0; round < 10; round += 1) {
      const [from, to] = round % 2 === 0 ? [0, 1] : [1, 0]
      const token = round % 4 < 2 ? writer : key.key
      await callService('POST', `${urlOf(from)}/api/regions`, token, { name: `alternating ${round}` })
      expect(await namesOf(to, token)).toContain(`alternating ${round}`)
    }
    expect(await namesOf(1, reader)).not.toContain('alternating 0')
    await servers.replica.query('select pg_wal_replay_resume()')
    await waitFor(async () => (await namesOf(1, reader)).includes('alternating 9'), WAIT_MS)
  })

  it('are used again for a client soon after its last write', async () => {
    const replicaReads = () => figure(1, 'netsaat_replica_reads_total{target="replica"}')
    const before = await replicaReads()
    await waitFor(async () => {
      await namesOf(1, writer)
      return (await replicaReads()) > before
    }, WAIT_MS)
  })

  it('are not used when they are late', async () => {
    await servers.replica.query('select pg_wal_replay_pause()')
    await addRegion('third')
    await waitFor(async () => (await namesOf(1, reader)).includes('third'), WAIT_MS)
    await waitFor(async () => (await notes()).some((note) => note.includes('late')), WAIT_MS)
    await servers.replica.query('select pg_wal_replay_resume()')
    await waitFor(async () => (await notes()).length === 0, WAIT_MS)
  })

  it('may end at any time: no read fails', async () => {
    let isOver = false
    let reads = 0
    const readOn = async (): Promise<void> => {
      while (!isOver) {
        expect(await namesOf(reads % 2, reader)).toContain('third')
        reads += 1
      }
    }
    const reading = Promise.all([readOn(), readOn(), readOn()])
    await waitFor(() => reads > 20, WAIT_MS)
    await servers.replica.kill()
    const atTheKill = reads
    await waitFor(() => reads > atTheKill + 60, WAIT_MS)
    await waitFor(async () => (await notes()).length === processes.length, WAIT_MS)
    await servers.replica.start()
    await waitFor(async () => (await notes()).length === 0, WAIT_MS)
    isOver = true
    await reading
    expect(await figure(0, 'netsaat_replica_usable')).toBe(1)
  })
})
