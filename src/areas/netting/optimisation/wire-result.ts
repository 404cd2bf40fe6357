import type { AssignmentProposal } from '../../../core/netting/optimisation/assignment.ts'
import type { NextDayProposal } from '../../../core/netting/optimisation/next-day.ts'
import type { PairFlow, PairingProposal } from '../../../core/netting/optimisation/pairing.ts'
import type { Proposal } from '../../../core/netting/optimisation/proposal.ts'
import type { SizingFigures } from '../../../core/netting/scenario/sizing-run.ts'
import type { Change } from '../../../core/netting/scenario/types.ts'
import {
  formatKwh,
  formatPrice,
  formatTry,
  type Kwh,
  roundDiv,
  type Try,
  type TryPerKwh,
} from '../../../kernel/decimal.ts'
import type { ScenarioChange } from '../scenarios/index.ts'

/** The figures of the base or of a candidate: wire names, decimal texts. */
export interface Figures {
  readonly production_kwh: string | null
  readonly consumption_kwh: string | null
  readonly matched_kwh: string | null
  readonly net_import_kwh: string | null
  readonly bedelli_kwh: string | null
  readonly skb_kwh: string | null
  readonly bedelsiz_kwh: string | null
  readonly limit_used_kwh: string
  readonly balance_try: string | null
}

export interface Result {
  readonly base: Figures
  readonly proposal: Figures
  readonly proposed_by: string
  readonly benefit_try: string | null
  readonly bound_try: string | null
  readonly gap_try: string | null
  readonly gap_percent: string | null
  readonly candidates: readonly { readonly name: string; readonly balance_try: string | null }[]
  readonly changes: readonly ScenarioChange[]
  /** The proposal at the ends of the band of a forecast. */
  readonly outlooks: readonly {
    readonly name: string
    readonly base_balance_try: string | null
    readonly balance_try: string | null
  }[]
  /** The eligibility of groups with the members of the proposal. */
  readonly groups: readonly {
    readonly group_id: string
    readonly status: string
    readonly failed: readonly string[]
  }[]
  readonly solver: {
    readonly name: string
    readonly status: string
    readonly columns: number
    readonly rows: number
  }
}

export interface SetPoint {
  readonly facility_id: string
  readonly hour: string
  readonly power_kw: string
}

export interface Flow {
  readonly producer_id: string
  readonly consumer_id: string
  readonly matched_kwh: string
  readonly proportional_kwh: string
  readonly value_try: string
}

const kwhText = (value: Kwh | null): string | null => (value === null ? null : formatKwh(value))
const tryText = (value: Try | null): string | null => (value === null ? null : formatTry(value))

const figuresText = (figures: SizingFigures): Figures => ({
  production_kwh: kwhText(figures.productionKwh),
  consumption_kwh: kwhText(figures.consumptionKwh),
  matched_kwh: kwhText(figures.matchedKwh),
  net_import_kwh: kwhText(figures.boughtKwh),
  bedelli_kwh: kwhText(figures.paidKwh),
  skb_kwh: kwhText(figures.overLimitKwh),
  bedelsiz_kwh: kwhText(figures.freeKwh),
  limit_used_kwh: formatKwh(figures.limitUsedKwh),
  balance_try: tryText(figures.balanceTry),
})

/** The version in package.json of the solver that is pinned. */
const SOLVER = 'HiGHS 1.15.3'

interface Parts {
  readonly outlooks?: NextDayProposal['outlooks']
  readonly groups?: AssignmentProposal['evaluations']
}

export function resultText(
  { base, candidates, boundTry, gapTry, solver }: Proposal,
  { outlooks = [], groups = [] }: Parts = {},
): Result {
  const best = candidates[0]
  const figures = best?.figures ?? base
  const isKnown = figures.balanceTry !== null && base.balanceTry !== null
  return {
    base: figuresText(base),
    proposal: figuresText(figures),
    proposed_by: best?.name ?? 'base',
    benefit_try: isKnown ? formatTry(((figures.balanceTry ?? 0n) - (base.balanceTry ?? 0n)) as Try) : null,
    bound_try: tryText(boundTry),
    gap_try: tryText(gapTry),
    gap_percent: gapPercent(gapTry, boundTry),
    candidates: candidates.map(({ name, figures: own }) => ({ name, balance_try: tryText(own.balanceTry) })),
    changes: (best?.changes ?? []).map(changeText),
    outlooks: outlooks.map(({ name, base: own, proposal }) => ({
      ...{ name, base_balance_try: tryText(own.balanceTry), balance_try: tryText(proposal.balanceTry) },
    })),
    groups: groups.map(({ groupId, evaluation: { status, results } }) => ({
      ...{ group_id: groupId, status },
      failed: results.filter((one) => one.status === 'fail').map(({ code }) => code),
    })),
    solver: { name: SOLVER, ...solver },
  }
}

/** A pairing changes no figure of the netting; its benefit is the value less that of a share in proportion. */
export function pairingText(base: SizingFigures, proposal: PairingProposal): Result {
  const { valueTry, proportionalTry, boundTry, gapTry, solver } = proposal
  return {
    ...{ base: figuresText(base), proposal: figuresText(base), proposed_by: 'solver' },
    benefit_try: formatTry((valueTry - proportionalTry) as Try),
    ...{ bound_try: tryText(boundTry), gap_try: tryText(gapTry), gap_percent: gapPercent(gapTry, boundTry) },
    candidates: [
      { name: 'solver', balance_try: formatTry(valueTry) },
      { name: 'proportional', balance_try: formatTry(proportionalTry) },
    ],
    ...{ changes: [], outlooks: [], groups: [], solver: { name: SOLVER, ...solver } },
  }
}

export const flowText = (flow: PairFlow): Flow => ({
  producer_id: flow.producerId,
  consumer_id: flow.consumerId,
  matched_kwh: formatKwh(flow.matchedKwh),
  proportional_kwh: formatKwh(flow.proportionalKwh),
  value_try: formatTry(flow.valueTry),
})

/** Gap through the absolute bound, with four decimals; null without a bound other than 0. */
function gapPercent(gapTry: Try | null, boundTry: Try | null): string | null {
  if (gapTry === null || boundTry === null || boundTry === 0n) return null
  const parts = roundDiv(gapTry * 1_000_000n, boundTry < 0n ? -boundTry : boundTry)
  return `${parts / 10_000n}.${String(parts % 10_000n).padStart(4, '0')}`
}

/** A change as the API of scenarios takes it; only the types that proposals have. */
function changeText(change: Change): ScenarioChange {
  switch (change.type) {
    case 'add_battery': {
      const {
        facilityId,
        capacityKwh,
        powerKwh,
        efficiency,
        initialKwh,
        rule,
        balanceOf,
        scheduleKwh,
        from,
        to,
      } = change
      return {
        ...{ type: change.type, facility_id: facilityId, rule, balance_of: balanceOf },
        ...{ capacity_kwh: formatKwh(capacityKwh), power_kw: formatKwh(powerKwh) },
        efficiency: formatPrice(efficiency as TryPerKwh),
        ...(initialKwh && { initial_kwh: formatKwh(initialKwh) }),
        ...(scheduleKwh && { schedule_kwh: scheduleKwh.map(formatKwh) }),
        ...daysText({ from, to }),
      }
    }
    case 'remove_battery':
      return { type: change.type, facility_id: change.facilityId, ...daysText(change) }
    case 'move_facility':
      return {
        ...{ type: change.type, facility_id: change.facilityId },
        ...{ from_group_id: change.fromGroupId, group_id: change.groupId },
      }
    case 'transfer_limit':
      return {
        ...{ type: change.type, month: change.month, amount_kwh: formatKwh(change.amountKwh) },
        ...{ source_facility_id: change.sourceFacilityId, target_facility_id: change.targetFacilityId },
      }
    default:
      throw new Error(`no proposal has ${change.type}`)
  }
}

const daysText = ({
  from,
  to,
}: {
  readonly from?: string | undefined
  readonly to?: string | undefined
}) => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})
