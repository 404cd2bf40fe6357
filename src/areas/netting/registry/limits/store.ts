import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { formatKwh, type Kwh, parseKwh } from '../../../../kernel/decimal.ts'
import { conflict, invalidReference } from '../../../../kernel/errors.ts'
import { iso } from '../../../../kernel/time.ts'
import { insertable } from '../../../../platform/db/columns.ts'
import { refusing } from '../../../../platform/db/constraints.ts'
import { readList } from '../../../../platform/db/list.ts'
import { storedReason } from '../../../../platform/db/reason-columns.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import { selectRows } from '../../../../platform/db/tenant-rows.ts'
import type { Actor } from '../../shared/index.ts'
import { NETTING_ERRORS } from '../../shared/index.ts'
import type { CreateLimitAccount, LimitAccountQuery, MovementQuery } from './schema.ts'

const writable = ['facility_id', 'year', 'initial_limit_kwh', 'limit_source'] as const
const accountColumns = ['id', ...writable, 'origin', 'created_at'] as const
const constraints = {
  limit_account_facility_year_key: () => conflict('DUPLICATE_ENTRY', NETTING_ERRORS.LIMIT_ACCOUNT_EXISTS()),
  limit_account_facility_fkey: () => invalidReference('facility_id'),
}

const accounts = (tenant: TenantDb) => selectRows(tenant, 'limit_account').select(accountColumns)

export function listAccounts(tenant: TenantDb, query: LimitAccountQuery) {
  let rows = accounts(tenant)
  if (query.facility_id !== undefined) rows = rows.where('facility_id', '=', query.facility_id)
  if (query.year !== undefined) rows = rows.where('year', '=', query.year)
  return readList(rows.orderBy('created_at', 'desc').orderBy('year', 'desc').orderBy('id'), query)
}

export const findAccount = (tenant: TenantDb, id: string) =>
  accounts(tenant).where('id', '=', id).executeTakeFirst()

/**
 * Locks accounts before bookings that depend on the balance. The id order prevents deadlocks of opposite
 * transfers; a calculation locks in the same order.
 */
export const lockAccounts = (tx: TenantTx, ids: readonly string[]) =>
  accounts(tx).where('id', 'in', ids).orderBy('id').forUpdate().execute()

export const createAccount = ({ db, tenantId }: TenantTx, body: CreateLimitAccount, origin: string | null) =>
  refusing(
    constraints,
    db
      .insertInto('limit_account')
      .values({ ...insertable(body, writable), tenant_id: tenantId, origin })
      .returning(accountColumns)
      .executeTakeFirstOrThrow(),
  )

const movementColumns = [
  'id',
  'account_id',
  'movement_type',
  'amount_kwh',
  'contracted_power_confirmed',
  'calculation_run_id',
  'created_by',
  'created_at',
] as const

export const listMovements = (tenant: TenantDb, accountId: string, query: MovementQuery) =>
  readList(
    selectRows(tenant, 'limit_movement')
      .select([...movementColumns, storedReason.as('reason')])
      .where('account_id', '=', accountId)
      .$if(query.calculation_run_id !== undefined, (rows) =>
        rows.where('calculation_run_id', '=', query.calculation_run_id ?? null),
      )
      .orderBy('seq', 'desc'),
    query,
  )

/** The sums of the movements of an account by type. */
export const sumMovements = (tenant: TenantDb, accountId: string) =>
  selectRows(tenant, 'limit_movement')
    .select(['movement_type', sql<number>`count(*)::int`.as('rows')])
    .select(sql<string>`sum(amount_kwh)`.as('amount_kwh'))
    .where('account_id', '=', accountId)
    .groupBy('movement_type')
    .orderBy('movement_type')
    .execute()

/** The balance of an account: derived, never stored. The account must exist. */
export async function remainingOf({ db, tenantId }: TenantDb, accountId: string): Promise<Kwh> {
  const { rows } = await sql<{ remaining: string }>`
    select a.initial_limit_kwh + coalesce((
      select sum(m.amount_kwh) from limit_movement m
      where (m.tenant_id, m.account_id) = (${tenantId}, a.id)), 0) as remaining
    from limit_account a where (a.tenant_id, a.id) = (${tenantId}, ${accountId})`.execute(db)
  const [account] = rows
  assert(account, 'the caller has read the account')
  return parseKwh(account.remaining)
}

export interface NewMovement {
  readonly accountId: string
  readonly movementType: string
  readonly amountKwh: Kwh
  readonly reason?: string
  readonly contractedPowerConfirmed?: boolean
}

/**
 * Appends rows to the ledger. It is append-only: no function changes a row, and the serving role lacks the
 * privilege. Reasons are texts of people here, so `reason` is complete without `reason_content`.
 */
export const appendMovements = (
  { db, tenantId }: TenantTx,
  movements: readonly NewMovement[],
  { by, at }: Actor,
) =>
  db
    .insertInto('limit_movement')
    .values(
      movements.map((movement) => ({
        tenant_id: tenantId,
        account_id: movement.accountId,
        movement_type: movement.movementType,
        amount_kwh: formatKwh(movement.amountKwh),
        reason: movement.reason ?? null,
        contracted_power_confirmed: movement.contractedPowerConfirmed ?? null,
        created_by: by,
        created_at: iso(at),
      })),
    )
    .returning([...movementColumns, 'reason'])
    .execute()
