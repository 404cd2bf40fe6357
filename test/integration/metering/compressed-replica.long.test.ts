import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { connect, type Database } from '../../../src/platform/db/pool.ts'
import { makeReplicaReads, type ReadDatabase } from '../../../src/platform/db/replica-reads.ts'
import { openOldDays } from '../../support/metering/old-days.ts'
import {
  hasReplication,
  type ReplicatedServers,
  startReplicatedServers,
} from '../../support/process/replicated-servers.ts'
import { waitFor } from '../../support/wait-for.ts'

const WAIT_MS = 240_000

describe.skipIf(!hasReplication)(
  'compressed days on a replica (needs pg_basebackup of PostgreSQL 15)',
  () => {
    let servers: ReplicatedServers
    let primary: Database
    let replica: Database
    let reads: ReadDatabase
    let days: Awaited<ReturnType<typeof openOldDays>>

    beforeAll(async () => {
      servers = await startReplicatedServers()
      await migrate(servers.primary.url)
      primary = connect({ url: servers.primary.url, maxConnections: 8 })
      replica = connect({ url: servers.replica.url, maxConnections: 4 })
      reads = makeReplicaReads({ replica, primary, onFallback: () => {} })
      days = await openOldDays(primary)
      await days.fill()
      await replayed()
    }, WAIT_MS)
    afterAll(async () => {
      await days?.stop()
      await Promise.all([primary?.close(), replica?.close()])
      await servers?.remove()
    }, WAIT_MS)

    /** Waits until the replica has everything that the primary has committed. */
    async function replayed(): Promise<void> {
      const { rows } = await primary.pool.query<{ at: string }>('select pg_current_wal_lsn()::text as at')
      await waitFor(async () => {
        const has = await replica.pool.query<{ has: boolean }>(
          'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as has',
          [rows[0]?.at],
        )
        return has.rows[0]?.has === true
      }, WAIT_MS)
    }
    const rowsOfReplica = async (): Promise<number> =>
      (await replica.pool.query('select 1 from measurement')).rows.length

    it('have the same samples before, while and after they are published', {
      retry: 0,
      timeout: WAIT_MS,
    }, async () => {
      const before = await days.read(primary)
      expect(before.length).toBe(await days.rows())
      expect(await days.read(reads)).toEqual(before)
      let isPublished = false
      const publishing = days.compress().finally(() => {
        isPublished = true
      })
      do expect(await days.read(reads)).toEqual(before)
      while (!isPublished)
      await publishing
      expect(await days.chunks()).toBe(3)
      await replayed()
      expect(await days.read(reads)).toEqual(before)
    })

    it('have them on a replica that is late, and without rows', { retry: 0, timeout: WAIT_MS }, async () => {
      const before = await days.read(primary)
      await replayed()
      onTestFinished(() => servers.replica.query('select pg_wal_replay_resume()'))
      await servers.replica.query('select pg_wal_replay_pause()')
      await waitFor(async () => {
        const { rows } = await replica.pool.query('select pg_get_wal_replay_pause_state() as state')
        return rows[0]?.state === 'paused'
      }, WAIT_MS)
      await days.settle()
      await days.compress()
      expect(await days.rows()).toBe(0)
      expect(await rowsOfReplica()).toBe(before.length)
      expect(await days.read(reads)).toEqual(before)
      await servers.replica.query('select pg_wal_replay_resume()')
      await replayed()
      expect(await rowsOfReplica()).toBe(0)
      expect(await days.read(reads)).toEqual(before)
    })

    it('have a late sample when it is replayed, and again when its day is compressed', {
      retry: 0,
      timeout: WAIT_MS,
    }, async () => {
      const before = await days.read(primary)
      await days.late()
      const after = await days.read(primary)
      expect(after.length).toBe(before.length + 1)
      await replayed()
      expect(await days.read(reads)).toEqual(after)
      await days.compress()
      await days.settle()
      await days.compress()
      expect(await days.rows()).toBe(0)
      await replayed()
      expect(await days.read(reads)).toEqual(after)
    })
  },
)
