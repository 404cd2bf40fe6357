import type { Range } from '../../../../kernel/time.ts'
import type { Warning } from '../../../../kernel/warnings.ts'
import { type TenantTx, tenantDb } from '../../../../platform/db/tenant.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { assertNotSealed } from '../../../metering/storage/index.ts'
import { queueRebuilds, rebuildAfterChange } from '../../hourly-energy/index.ts'
import * as store from './store.ts'

/** The fields of an assignment that determine facts. */
interface Assigned extends store.AssignmentPlace {
  readonly device_id: string
  readonly measurement_role: string
  readonly valid_from: Date
  readonly valid_to: Date | null
}

interface AssignmentChange {
  readonly before: Assigned | undefined
  readonly after: Assigned
  readonly at: number
}

const rangeOf = ({ valid_from, valid_to }: Assigned): Range => ({
  from: valid_from.getTime(),
  to: valid_to?.getTime() ?? Number.POSITIVE_INFINITY,
})

/**
 * Queues the hours whose facts a change of an assignment affects. Where only the period changed these are the hours
 * that it gained or lost; otherwise those of the assignment before and after. Facts of every source that is derived
 * from meters are concerned: an official meter takes its role from the devices beside it.
 */
export async function queueChangedFacts(
  tx: TenantTx,
  { before, after, at }: AssignmentChange,
): Promise<void> {
  const facilityAfter = await store.facilityOfAssignment(tx, after)
  const facilityBefore = before && (await store.facilityOfAssignment(tx, before))
  const isSame =
    before !== undefined &&
    facilityBefore === facilityAfter &&
    before.measurement_role === after.measurement_role &&
    before.metering_point_id === after.metering_point_id
  const queue = async (facilityId: string | undefined, ranges: readonly Range[]) => {
    if (facilityId === undefined) return
    for (const range of ranges.filter(({ from, to }) => from < to)) {
      const queued = await queueRebuilds(tx, { facilityIds: [facilityId], range, now: at })
      for (const hours of queued.values()) await assertNotSealed(tx, hours)
    }
  }
  if (isSame) return queue(facilityAfter, changedRanges(rangeOf(before), rangeOf(after)))
  if (before) await queue(facilityBefore, [rangeOf(before)])
  await queue(facilityAfter, [rangeOf(after)])
}

/** The parts of two ranges that are in one of them only. */
const changedRanges = (a: Range, b: Range): Range[] =>
  a.to <= b.from || b.to <= a.from
    ? [a, b]
    : [
        { from: Math.min(a.from, b.from), to: Math.max(a.from, b.from) },
        { from: Math.min(a.to, b.to), to: Math.max(a.to, b.to) },
      ]

type AssignmentRow = NonNullable<Awaited<ReturnType<typeof store.findAssignment>>>

interface StoredChange {
  readonly tenantId: number
  /** The stored assignment; undefined for a new one. */
  readonly before: store.AssignmentPlace | undefined
  readonly change: () => Promise<AssignmentRow>
}

/** Changes an assignment, and derives the facts again after the commit as far as they are few. */
export async function changeAssignment(
  deps: Pick<Deps, 'clock' | 'database' | 'log'>,
  { tenantId, before, change }: StoredChange,
): Promise<{ readonly assignment: AssignmentRow; readonly warnings: readonly Warning[] }> {
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const was = before && (await store.facilityOfAssignment(tenant, before))
  const after = await change()
  const now = await store.facilityOfAssignment(tenant, after)
  const warnings = await rebuildAfterChange(
    deps,
    tenantId,
    [was, now].flatMap((id) => id ?? []),
  )
  return { assignment: after, warnings }
}
