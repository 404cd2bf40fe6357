import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { makeTokens } from '../../../src/platform/auth/jwt.ts'
import type { ApiResponse } from '../api.ts'
import { type MemberSpec, makeGroup, type TestGroup } from './netting.ts'
import { INDUSTRIAL_PRICES, makePriceSet } from './prices.ts'
import { type Registry, startRegistry } from './registry.ts'

const RULE_ORDER = 'R001 R002 R003 R003M R005 R007 R008 R009 R010 R011 R013 R00T R00L'.split(' ')

interface Rule {
  readonly code: string
  readonly status: string
  readonly [key: string]: unknown
}

interface Evaluated {
  readonly status: string
  readonly rule: (code: string) => Rule | undefined
  /** The rule results by code. */
  readonly statuses: Readonly<Record<string, string>>
  readonly body: object
}

export interface EligibilityFixture extends Registry {
  /**
   * By default a producer, Roof, and a consumer, Mill: declared, with a supplier, and valid by every rule.
   */
  readyGroup(members?: MemberSpec[]): Promise<TestGroup>
  /** An approved set with the prices that an industrial group needs from a month on. */
  approvePrices(period?: string): Promise<string>
  /** Sends as the admin with a fresh token, because the clock advances beyond the lifetime of a token. */
  postNow(path: string, body?: unknown): Promise<ApiResponse>
  patchNow(path: string, body: unknown): Promise<ApiResponse>
  /** Sends as a superuser of the own tenant. */
  postAsSuperuser(path: string, body?: unknown): Promise<ApiResponse>
  getNow(path: string): Promise<ApiResponse>
  /** Evaluates, and asserts 201 with all 13 results in order. */
  evaluate(groupId: string): Promise<Evaluated>
  countRuns(groupId: string): Promise<number>
  /** Between tests: no approved price, and the clock at its start. */
  reset(): Promise<void>
}

const pair: MemberSpec[] = [
  { role: 'production', name: 'Roof' },
  { role: 'consumption', name: 'Mill', limits: { 2026: '1000.000' } },
]

async function makeReadyGroup(
  { admin, api, ownTenant }: Registry,
  members: MemberSpec[],
): Promise<TestGroup> {
  const group = await makeGroup(api.deps, ownTenant, { members })
  const { body: scope } = await admin.post('/scopes', { name: `party ${randomUUID()}` })
  await admin.post(`/scopes/${scope.id}/declare-same-official-party`, {
    declaration_source: 'customer_declaration',
  })
  const { body: supplier } = await admin.post('/organizations', { org_type: 'supplier', name: randomUUID() })
  for (const { id } of group.facilities) {
    await admin.patch(`/facilities/${id}`, { scope_id: scope.id, supplier_id: supplier.id })
  }
  const own = { scope_id: scope.id, responsible_supplier_id: supplier.id }
  expect((await admin.patch(`/groups/${group.id}`, own)).status).toBe(200)
  return group
}

function evaluated({ status, body }: ApiResponse): Evaluated {
  expect(status).toBe(201)
  const rules: Rule[] = body.rules
  expect(rules.map(({ code }) => code)).toEqual(RULE_ORDER)
  return {
    status: body.eligibility_status,
    rule: (code) => rules.find((rule) => rule.code === code),
    statuses: Object.fromEntries(rules.map((rule) => [rule.code, rule.status])),
    body,
  }
}

/** The registry of two tenants, and functions for tests of eligibility. */
export async function startEligibility(): Promise<EligibilityFixture> {
  const registry = await startRegistry()
  const { api, ownTenant } = registry
  const { kysely, pool } = api.deps.database
  const start = api.clock.now()
  const sendNow = (method: string, path: string, body?: unknown, { id } = ownTenant.admin) => {
    const tokens = makeTokens({ secretKey: api.deps.config.secretKey, clock: api.clock })
    const token = tokens.issue('access', { id, tenantUid: ownTenant.uid })
    return api.call(method, `/api/mahsuplasma${path}`, { token, body })
  }
  const postNow = (path: string, body?: unknown) => sendNow('POST', path, body)
  return {
    ...registry,
    readyGroup: (members = pair) => makeReadyGroup(registry, members),
    approvePrices: (period = '2026-11-01') => makePriceSet(api.deps, period, INDUSTRIAL_PRICES),
    postNow,
    patchNow: (path, body) => sendNow('PATCH', path, body),
    postAsSuperuser: (path, body) => sendNow('POST', path, body, ownTenant.superuser),
    getNow: (path) => sendNow('GET', path),
    evaluate: async (groupId) => evaluated(await postNow(`/groups/${groupId}/evaluate`)),
    async countRuns(groupId) {
      const { rows } = await pool.query<{ count: number }>(
        'select count(*)::integer as count from eligibility_run where group_id = $1',
        [groupId],
      )
      return rows[0]?.count ?? 0
    },
    async reset() {
      const approved = kysely.updateTable('tariff_price_set').where('approval_status', '=', 'approved')
      await approved.set({ approval_status: 'archived' }).execute()
      api.clock.set(start)
    },
  }
}
