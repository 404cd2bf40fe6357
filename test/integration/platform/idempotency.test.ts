import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_TEXTS } from '../../../src/kernel/error-texts.ts'
import { conflict } from '../../../src/kernel/errors.ts'
import { makeProcessLife } from '../../../src/platform/db/process-life.ts'
import { forAnyUser } from '../../../src/platform/http/access.ts'
import type { App } from '../../../src/platform/http/app-type.ts'
import { setErrorShape } from '../../../src/platform/http/errors.ts'
import { acceptIdempotencyKeys } from '../../../src/platform/http/idempotency.ts'
import { mount } from '../../../src/platform/http/mount.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { createTenant, type TestTenant } from '../../support/tenants.ts'

const Body = Type.Object({ name: Type.String(), after: Type.Optional(Type.String()) })

let openGate = () => {}
/** A request whose body asks to wait continues when the test releases it. */
const gate = new Promise<void>((resolve) => {
  openGate = resolve
})

/** A route that writes a region and then does what the body says. */
function plant(app: App): void {
  mount(app, '/planted', (scope) => {
    setErrorShape(scope, 'nested')
    acceptIdempotencyKeys(scope)
    scope.post('/regions', { ...forAnyUser, schema: { body: Body } }, async (request, reply) => {
      const { name, after } = request.body
      if (after === 'gate') await gate
      const { id } = await request.tenantTx(({ db, tenantId }) =>
        db
          .insertInto('region')
          .values({ tenant_id: tenantId, name })
          .returning('id')
          .executeTakeFirstOrThrow(),
      )
      if (after === 'conflict') throw conflict('STATE_CONFLICT', ERROR_TEXTS.RECORD_CHANGED())
      if (after === 'crash') throw new Error('broken after the commit')
      return reply.code(201).send({ id })
    })
  })
}

let api: TestApi
let tenant: TestTenant
beforeAll(async () => {
  api = await startApi({ extend: plant })
  tenant = await createTenant(api)
})
afterAll(() => api.close())

const post = (key: string, body: unknown, token = tenant.admin.token) =>
  api.call('POST', '/planted/regions', { token, body, headers: { 'idempotency-key': key } })
const countRegions = async (name: string) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from region where name = ${name}`.execute(api.deps.database.kysely)
  return rows[0]?.n
}

describe('Idempotency-Key', () => {
  it('replays the first response and does the work once', async () => {
    const first = await post('k1', { name: 'once' })
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotent-replay')).toBeNull()
    const second = await post('k1', { name: 'once' })
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers.get('idempotent-replay')).toBe('true')
    expect(await countRegions('once')).toBe(1)
  })

  it('rejects the key for another body with 422', async () => {
    await post('k2', { name: 'this' })
    const other = await post('k2', { name: 'that' })
    expect(other.status).toBe(422)
    expect(other.body.detail.error_code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  it('is scoped to the user', async () => {
    const other = await createTenant(api)
    await post('k3', { name: 'mine' })
    expect((await post('k3', { name: 'yours' }, other.admin.token)).status).toBe(201)
    expect((await post('k3', { name: 'ours' }, tenant.operator.token)).status).toBe(201)
  })

  it('replays an error response of the handler', async () => {
    expect((await post('k4', { name: 'refused', after: 'conflict' })).status).toBe(409)
    const again = await post('k4', { name: 'refused', after: 'conflict' })
    expect(again.headers.get('idempotent-replay')).toBe('true')
    expect(again.body.detail.error_code).toBe('STATE_CONFLICT')
  })

  it('does the work once for twenty concurrent requests', async () => {
    let refused = 0
    const responses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { status } = await post('k5', { name: 'raced', after: 'gate' })
        if (status === 409) refused += 1
        // The first request waits until all the others have been rejected.
        if (refused === 19) openGate()
        return status
      }),
    )
    expect(responses.filter((status) => status === 201)).toHaveLength(1)
    expect(responses.filter((status) => status === 409)).toHaveLength(19)
    expect(await countRegions('raced')).toBe(1)
    expect((await post('k5', { name: 'raced', after: 'gate' })).status).toBe(201)
  })

  it('is released after a failure that committed nothing', async () => {
    await api.call('POST', '/api/regions', { token: tenant.admin.token, body: { name: 'taken' } })
    expect((await post('k6', { name: 'taken' })).status).toBe(500)
    await sql`delete from region where name = 'taken'`.execute(api.deps.database.kysely)
    expect((await post('k6', { name: 'taken' })).status).toBe(201)
  })

  it('does not repeat the work when its response was lost', async () => {
    expect((await post('k7', { name: 'lost', after: 'crash' })).status).toBe(500)
    const again = await post('k7', { name: 'lost', after: 'crash' })
    expect(again.status).toBe(409)
    expect(again.body.detail.error_code).toBe('IDEMPOTENCY_OUTCOME_UNKNOWN')
    expect(await countRegions('lost')).toBe(1)
  })

  describe('held by another process', () => {
    /** The state after a process has claimed the key and has not committed anything. */
    const claim = async (key: string, name: string, processId: string | null) => {
      await post(key, { name })
      const { kysely } = api.deps.database
      await sql`update idempotency_key set status = null, response_body = ${processId} where key = ${key}`.execute(
        kysely,
      )
      await sql`delete from region where name = ${name}`.execute(kysely)
    }

    it('is taken over at once when that process has ended, by one of many requests', async () => {
      await claim('k8', 'died', randomUUID())
      const responses = await Promise.all(Array.from({ length: 8 }, () => post('k8', { name: 'died' })))
      for (const { status } of responses) expect([201, 409]).toContain(status)
      expect((await post('k8', { name: 'died' })).status).toBe(201)
      expect(await countRegions('died')).toBe(1)
    })

    it('is not taken over when the work was committed', async () => {
      await claim('k10', 'committed', randomUUID())
      await sql`update idempotency_key set status = 0 where key = 'k10'`.execute(api.deps.database.kysely)
      const { status, body } = await post('k10', { name: 'committed' })
      expect([status, body.detail.error_code]).toEqual([409, 'IDEMPOTENCY_OUTCOME_UNKNOWN'])
      expect(await countRegions('committed')).toBe(0)
    })

    it('is taken over after ten minutes from a process that is alive, or did not name itself', async () => {
      const other = makeProcessLife(api.deps.database)
      await other.prove()
      await claim('k11', 'alive', other.id)
      await claim('k12', 'unnamed', null)
      expect((await post('k11', { name: 'alive' })).status).toBe(409)
      expect((await post('k12', { name: 'unnamed' })).status).toBe(409)
      api.clock.advance(11 * 60_000)
      expect((await post('k11', { name: 'alive' })).status).toBe(201)
      expect((await post('k12', { name: 'unnamed' })).status).toBe(201)
      other.end()
    })
  })

  it('expires after a day', async () => {
    await post('k9', { name: 'first day' })
    const yesterday = new Date(api.clock.now() - 25 * 3_600_000)
    await sql`update idempotency_key set created_at = ${yesterday} where key = 'k9'`.execute(
      api.deps.database.kysely,
    )
    expect((await post('k9', { name: 'next day' })).status).toBe(201)
  })

  it('is rejected when malformed', async () => {
    const response = await post('a b', { name: 'odd' })
    expect(response.status).toBe(422)
    expect(response.body.detail[0].loc).toEqual(['header', 'idempotency-key'])
  })
})
