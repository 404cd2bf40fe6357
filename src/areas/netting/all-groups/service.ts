import assert from 'node:assert/strict'
import { conflict, found, invalidReference, unprocessable } from '../../../kernel/errors.ts'
import type { Language } from '../../../kernel/messages.ts'
import { parsePeriod } from '../../../kernel/time.ts'
import { warningFields } from '../../../kernel/warnings.ts'
import type { TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { refusePeriod } from '../calculation/index.ts'
import { BULK_GROUPS_MAX, BULK_KEPT_MAX, BULK_OPEN_MAX } from '../limits.ts'
import { NETTING_ERRORS } from '../shared/index.ts'
import type { Bulk, BulkBody, BulkGroupsQuery, BulkQuery } from './schema.ts'
import * as store from './store.ts'

/** Stores a bulk request, which the job works off. 422 for unknown groups, 409 beyond the unfinished requests. */
export async function startBulk(
  tx: TenantTx,
  body: BulkBody,
  { by, now }: { readonly by: string; readonly now: number },
): Promise<Bulk> {
  const billingPeriod = parsePeriod(body.billing_period)
  assert(billingPeriod, 'the schema lets only periods in')
  if ((body.action === 'correct') !== (body.reason !== undefined)) {
    throw invalidInput(['body', 'reason'], 'is required for correct, and not allowed for calculate')
  }
  refusePeriod(billingPeriod, now)
  await store.lockBulks(tx)
  if ((await store.countOpen(tx)) >= BULK_OPEN_MAX) {
    throw conflict('STATE_CONFLICT', NETTING_ERRORS.BULK_REQUESTS_RUNNING({ max: BULK_OPEN_MAX }))
  }
  const groupIds = await store.listGroups(tx, body.group_ids, BULK_GROUPS_MAX + 1)
  if (body.group_ids && groupIds.length < new Set(body.group_ids).size) throw invalidReference('group_ids')
  if (groupIds.length === 0) throw unprocessable('BUSINESS_RULE_VIOLATION', NETTING_ERRORS.NO_ACTIVE_GROUP())
  if (groupIds.length > BULK_GROUPS_MAX) {
    const text = NETTING_ERRORS.TOO_MANY_ACTIVE_GROUPS({ max: BULK_GROUPS_MAX })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'group_ids' })
  }
  await store.deleteOldest(tx, BULK_KEPT_MAX - 1)
  const { action, reason = null } = body
  const id = await store.create(tx, {
    ...{ action, reason, groupIds, requestedBy: by, at: now },
    billing_period: billingPeriod,
  })
  return findBulk(tx, id)
}

export const findBulk = async (tenant: TenantDb, id: string): Promise<Bulk> =>
  toResponse(found('bulk request', await store.find(tenant, id)))

export async function listBulks(tenant: TenantDb, query: BulkQuery) {
  const { items, total } = await store.list(tenant, query)
  return { items: items.map(toResponse), total }
}

function toResponse({ counts, ...row }: store.BulkRow): Bulk {
  const of = (status: string): number => counts[status] ?? 0
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return {
    ...row,
    action: row.action as Bulk['action'],
    status: row.finished_at === null ? 'running' : 'finished',
    progress_pct: Math.floor(((total - of('waiting')) / total) * 100),
    groups_total: total,
    groups_waiting: of('waiting'),
    groups_completed: of('completed'),
    groups_unchanged: of('unchanged'),
    groups_incomplete: of('incomplete'),
    groups_refused: of('refused'),
    groups_failed: of('failed'),
  } as Bulk
}

export async function listBulkGroups(
  tenant: TenantDb,
  id: string,
  { query, language }: { readonly query: BulkGroupsQuery; readonly language: Language },
) {
  found('bulk request', await store.find(tenant, id))
  const { items, total } = await store.listGroupResults(tenant, id, query)
  return {
    items: items.map(({ warnings, ...row }) => ({ ...row, ...warningFields(warnings, language) })),
    total,
  }
}
