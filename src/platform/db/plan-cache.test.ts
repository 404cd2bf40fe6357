import type { PoolClient } from 'pg'
import { expect, test } from 'vitest'
import { PLAN_CACHE_SHARDS_MAX } from './distribution/limits.ts'
import { limitPlanCache } from './plan-cache.ts'

const LEAKING = 'Citus 13.2.2 on x86_64'
const CORRECTED = 'Citus 13.5.0 on x86_64'

/** A fake connection that records its statements; `citus`: the version of the server, absent for plain PostgreSQL. */
class Client {
  readonly sent: unknown[] = []
  citus: string | undefined
  shards: number
  constructor(citus: string | undefined, shards: number) {
    this.citus = citus
    this.shards = shards
  }
  query(statement: unknown): Promise<{ rows: unknown[] }> {
    this.sent.push(statement)
    const isAbout = (name: string) => typeof statement === 'string' && statement.includes(name)
    if (isAbout('citus_version'))
      return Promise.resolve({ rows: [{ version: this.citus, shards: this.shards }] })
    return Promise.resolve({ rows: this.citus && isAbout('pg_extension') ? [{ version: '13.2-1' }] : [] })
  }
}

const LIST = { name: 'list', text: 'select 1', values: [] }
const SETTING = 'set plan_cache_mode = force_custom_plan'

async function connectTo(citus: string | undefined, hook: ReturnType<typeof limitPlanCache>, shards = 16) {
  const client = new Client(citus, shards)
  await hook(client as unknown as PoolClient)
  const questions = client.sent.splice(0)
  await client.query(LIST)
  return { questions, sent: client.sent }
}

test('plain PostgreSQL and Citus with the correction receive statements with their names', async () => {
  for (const isForReads of [true, false])
    for (const citus of [undefined, CORRECTED]) {
      const { questions, sent } = await connectTo(citus, limitPlanCache({ isForReads }))
      expect([questions.includes(SETTING), sent]).toEqual([false, [LIST]])
    }
})

test('a server whose plan cache leaks receives no names, or names and a setting on connections for reads', async () => {
  const writes = await connectTo(LEAKING, limitPlanCache({ isForReads: false }))
  expect([writes.questions.includes(SETTING), writes.sent]).toEqual([false, [{ ...LIST, name: undefined }]])
  const reads = await connectTo(LEAKING, limitPlanCache({ isForReads: true }))
  expect([reads.questions.includes(SETTING), reads.sent]).toEqual([true, [LIST]])
})

test('a node with many shards keeps no plans, because each shard has its own', async () => {
  const hook = limitPlanCache({ isForReads: false })
  expect((await connectTo(CORRECTED, hook, PLAN_CACHE_SHARDS_MAX)).sent).toEqual([LIST])
  expect((await connectTo(CORRECTED, hook, PLAN_CACHE_SHARDS_MAX + 1)).sent).toEqual([
    { ...LIST, name: undefined },
  ])
})

test('a pool asks plain PostgreSQL once, and each connection to Citus for its version', async () => {
  const plain = limitPlanCache({ isForReads: false })
  expect((await connectTo(undefined, plain)).questions).toHaveLength(1)
  expect((await connectTo(undefined, plain)).questions).toEqual([])
  const citus = limitPlanCache({ isForReads: false })
  expect((await connectTo(CORRECTED, citus)).sent).toEqual([LIST])
  // Another server with an older version has taken the address.
  expect((await connectTo(LEAKING, citus)).sent).toEqual([{ ...LIST, name: undefined }])
})

test('a connection that cannot ask fails, and the next one asks again', async () => {
  const hook = limitPlanCache({ isForReads: false })
  const broken = { query: () => Promise.reject(new Error('the connection is lost')) }
  await expect(hook(broken as unknown as PoolClient)).rejects.toThrow('the connection is lost')
  expect((await connectTo(LEAKING, hook)).sent).toEqual([{ ...LIST, name: undefined }])
})
