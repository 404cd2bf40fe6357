import { evaluate } from '../../../core/netting/eligibility/evaluate.ts'
import { r00t } from '../../../core/netting/eligibility/r00t.ts'
import type { EligibilityInput, RuleResult } from '../../../core/netting/eligibility/types.ts'
import { AppError, found } from '../../../kernel/errors.ts'
import { localDate, localYear, periodOf, periodRange } from '../../../kernel/time.ts'
import { inTenantTx, systemDb, type TenantDb, type TenantTx } from '../../../platform/db/tenant.ts'
import type { Clock } from '../../../platform/runtime/clock.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { applyNettingAlarms, evaluationAlarms, tariffAlarm } from '../alarms/index.ts'
import { listRoles } from '../hourly-energy/index.ts'
import { REEVALUATION_BATCH } from '../limits.ts'
import { MAIN_ROLES } from '../shared/index.ts'
import { approvedPrices } from '../tariffs/index.ts'
import * as store from './store.ts'

type LockedGroup = NonNullable<Awaited<ReturnType<typeof store.lockGroup>>>

/** The input of the rules at an instant. */
async function loadInput(tx: TenantTx, group: LockedGroup, at: number): Promise<EligibilityInput> {
  const today = localDate(at)
  const members = await store.listActiveMembers(tx, group.id, today)
  const facilityIds = members.map((member) => member.facility_id)
  const facilitiesInYear = { facilityIds, year: localYear(at) }
  const accounts = await store.listAccounts(tx, facilitiesInYear)
  const transfers = await store.listTransfers(tx, facilitiesInYear)
  const scope = group.scope_id === null ? undefined : await store.findScope(tx, group.scope_id)
  return {
    today,
    groupStatus: group.group_status,
    scope: scope ? { id: scope.id, name: scope.name, isDeclared: scope.declaration_source !== null } : null,
    responsibleSupplierId: group.responsible_supplier_id,
    members: members.map((member) => ({
      facilityId: member.facility_id,
      facilityName: member.name,
      role: member.member_role,
      scopeId: member.scope_id,
      supplierId: member.supplier_id,
      aboneGrubu: member.abone_grubu,
    })),
    facilityIdsWithAccount: accounts.map((account) => account.facility_id),
    transfers: transfers.map((transfer) => ({
      movementId: transfer.id,
      facilityId: transfer.facility_id,
      isConfirmed: transfer.contracted_power_confirmed === true,
    })),
    facilityIdsWithMainMeter: await withMainMeter(tx, facilityIds, at),
    prices: await approvedPrices(tx, periodRange(periodOf(at))),
  }
}

async function withMainMeter(tx: TenantTx, facilityIds: readonly string[], at: number): Promise<string[]> {
  const assignments = await listRoles(tx, facilityIds, { from: at, to: at + 1 })
  const isMain = (role: string) => MAIN_ROLES.some((main) => main === role)
  return assignments.filter(({ role }) => isMain(role)).map(({ facilityId }) => facilityId)
}

const ruleRow = ({ isBlocking, reasonCode, details, ...rest }: RuleResult): store.RuleRow => ({
  ...rest,
  is_blocking: isBlocking,
  ...(reasonCode !== undefined && { reason_code: reasonCode }),
  ...(details !== undefined && { details }),
})

interface Evaluator {
  /** The user who requested the evaluation; null when the service started it. */
  readonly by: string | null
  readonly clock: Clock
}

/**
 * Evaluates all rules on a group, appends the results to the log and sets the group's status. 404 for an
 * unknown group.
 */
export async function evaluateGroup(tx: TenantTx, groupId: string, { by, clock }: Evaluator) {
  const group = found('group', await store.lockGroup(tx, groupId))
  // The clock is read after the lock is acquired, so that the log is in order of time.
  const at = clock.now()
  const { status, results } = evaluate(await loadInput(tx, group, at))
  const rules = results.map(ruleRow)
  await store.appendRun(tx, { groupId: group.id, status, rules, by, at })
  await applyNettingAlarms(tx, evaluationAlarms({ groupId: group.id, status, results }), at)
  return { group_id: group.id, eligibility_status: status, evaluated_at: new Date(at), rules }
}

/**
 * Opens or closes the alarm on missing approved prices of a group's consumers in the month of an instant.
 * Rule R00T blocks such a group only at its next evaluation; this alarm reports it in the morning before.
 */
export async function scanTariffs(tx: TenantTx, groupId: string, at: number): Promise<void> {
  const group = await store.lockGroup(tx, groupId)
  if (!group) return
  const { status, message, details } = r00t.check(await loadInput(tx, group, at))
  await applyNettingAlarms(tx, [tariffAlarm(groupId, { isMissing: status === 'fail', message, details })], at)
}

/** Returns the latest evaluation; before the first one the status not_checked without rules. */
export async function readEligibility(tenant: TenantDb, groupId: string) {
  const group = found('group', await store.findEligibility(tenant, groupId))
  return {
    group_id: group.id,
    eligibility_status: group.eligibility_status,
    evaluated_at: group.evaluated_at,
    rules: [...(group.rules ?? [])],
  }
}

/**
 * Evaluates the groups of all tenants that R00T blocks. It runs after the approval of a tariff, one
 * transaction for each group. A group whose evaluation fails is logged and waits for its next evaluation.
 */
export async function reevaluateBlockedByTariff({ database, clock, log }: Deps): Promise<void> {
  const { kysely } = database
  let after: store.GroupKey | undefined
  do {
    const batch: store.GroupKey[] = await store.listBlockedBy(systemDb(kysely), 'R00T', {
      after,
      limit: REEVALUATION_BATCH,
    })
    for (const { tenantId, groupId } of batch) {
      try {
        await inTenantTx(kysely, tenantId, (tx) => evaluateGroup(tx, groupId, { by: null, clock }))
      } catch (error) {
        if (error instanceof AppError) continue
        log.error({ err: error, tenantId, groupId }, 'a group could not be evaluated after an approval')
      }
    }
    after = batch.length < REEVALUATION_BATCH ? undefined : batch.at(-1)
  } while (after)
}
