import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { Site } from '../../support/charging/power-balancing.ts'
import { waitFor } from '../../support/wait-for.ts'

const HOUR = 3_600_000

let api: TestApi
beforeAll(async () => {
  api = await Site.startApi()
})
afterAll(() => api.close())

it('a charging group is balanced again after the clock is set back by an hour', async () => {
  const site = await Site.open(api)
  // A group without members, because each event of a station makes its group due.
  const { id } = await site.group(11, [])
  const dueAt = async (): Promise<number> => {
    const { due_at } = await api.deps.database.kysely
      .selectFrom('charging_group')
      .select('due_at')
      .where('tenant_id', '=', site.tenant.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return due_at.getTime()
  }
  await waitFor(async () => (await dueAt()) > api.clock.now())
  api.clock.advance(-HOUR)
  await waitFor(async () => (await dueAt()) < api.clock.now() + HOUR / 2)
  expect(await dueAt()).toBeGreaterThan(api.clock.now())
})
