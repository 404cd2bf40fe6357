/** The figures of a scenario and of its base: their texts, and the rows of tables and charts that compare them. */
import type { Message } from '../../../../../src/kernel/messages.ts'
import { scaled, sumOf, unscaled } from '../../../kernel/decimal.ts'
import { NETTING_TEXTS } from '../texts.ts'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

export interface Figure {
  readonly text: () => Message
  readonly unit: 'kwh' | 'try'
  /** The colour in charts. */
  readonly color: string
}

const kwh = (text: () => Message, color = '--energy-grid'): Figure => ({ text, unit: 'kwh', color })
const money = (text: () => Message): Figure => ({ text, unit: 'try', color: '--accent' })

export const FIGURES = {
  production_kwh: kwh(NETTING_TEXTS.NETTING_PRODUCTION, '--energy-production'),
  consumption_kwh: kwh(NETTING_TEXTS.NETTING_CONSUMPTION, '--energy-consumption'),
  matched_kwh: kwh(NETTING_TEXTS.NETTING_MATCHED, '--energy-matched'),
  matched_production_kwh: kwh(TEXTS.SCENARIOS_FIGURE_MATCHED_PRODUCTION, '--energy-matched'),
  matched_consumption_kwh: kwh(TEXTS.SCENARIOS_FIGURE_MATCHED_CONSUMPTION, '--energy-matched'),
  net_import_kwh: kwh(NETTING_TEXTS.NETTING_NET_IMPORT),
  bedelli_kwh: kwh(NETTING_TEXTS.NETTING_PAID, '--energy-paid'),
  skb_kwh: kwh(NETTING_TEXTS.NETTING_OVER_LIMIT, '--energy-over-limit'),
  bedelsiz_kwh: kwh(NETTING_TEXTS.NETTING_FREE, '--energy-free'),
  limit_used_kwh: kwh(TEXTS.SCENARIOS_FIGURE_LIMIT),
  limit_closing_kwh: kwh(TEXTS.SCENARIOS_FIGURE_LEFT),
  limit_after_kwh: kwh(TEXTS.SCENARIOS_FIGURE_LEFT_AFTER),
  revenue_try: money(TEXTS.SCENARIOS_FIGURE_REVENUE),
  fee_try: money(TEXTS.SCENARIOS_FIGURE_FEE),
  savings_try: money(TEXTS.SCENARIOS_FIGURE_SAVINGS),
  purchase_try: money(TEXTS.SCENARIOS_FIGURE_PURCHASE),
  balance_try: money(TEXTS.SCENARIOS_FIGURE_BALANCE),
} as const satisfies Readonly<Record<string, Figure>>
export type FigureName = keyof typeof FIGURES

const ENERGIES = ['production_kwh', 'consumption_kwh'] as const
const SURPLUS = ['net_import_kwh', 'bedelli_kwh', 'skb_kwh', 'bedelsiz_kwh'] as const
const MONEY = ['revenue_try', 'fee_try', 'savings_try', 'purchase_try'] as const

export const TOTAL_FIGURES = [
  ...ENERGIES,
  'matched_kwh',
  ...SURPLUS,
  'limit_used_kwh',
  ...MONEY,
  'balance_try',
] as const

export const PARTS = ['months', 'members', 'hours'] as const
export type Part = (typeof PARTS)[number]

/** The figures of each part of the result, the first of which is shown at first. */
export const FIGURES_OF: Readonly<Record<Part, readonly FigureName[]>> = {
  months: [
    'balance_try',
    ...ENERGIES,
    'matched_kwh',
    ...SURPLUS,
    'limit_used_kwh',
    'limit_closing_kwh',
    ...MONEY,
  ],
  members: [
    'purchase_try',
    ...ENERGIES,
    'matched_production_kwh',
    'matched_consumption_kwh',
    ...SURPLUS,
  ].concat([...(['revenue_try', 'fee_try', 'savings_try'] as const)]) as FigureName[],
  hours: ['net_import_kwh', ...ENERGIES, 'matched_kwh', 'bedelli_kwh', 'skb_kwh', 'bedelsiz_kwh'].concat([
    ...(['limit_after_kwh', 'balance_try'] as const),
  ]) as FigureName[],
}

type Side = Readonly<Record<string, unknown>> | null
/** A row of the result, as the API has it. */
export interface ResultRow {
  readonly base: Side
  readonly scenario: Side
  readonly group_id?: string
  readonly group_name?: string
  readonly billing_period?: string
  readonly facility_id?: string
  readonly facility_name?: string | null
  readonly hour?: string
}

/** One figure of a month, facility or hour on both sides; null: unknown, undefined: the side has no such row. */
export interface SideRow {
  readonly key: string
  readonly row: ResultRow
  readonly base: string | null | undefined
  readonly scenario: string | null | undefined
}

const figureOf = (side: Side, name: FigureName): string | null | undefined =>
  side === null ? undefined : ((side[name] as string | null | undefined) ?? null)

/** The second less the first; null when one of them is not known. */
export function differenceOf(
  base: string | null | undefined,
  scenario: string | null | undefined,
): string | null {
  if (typeof base !== 'string' || typeof scenario !== 'string') return null
  const places = Math.max(...[base, scenario].map((text) => text.split('.')[1]?.length ?? 0))
  return unscaled(scaled(scenario, places) - scaled(base, places), places)
}

/** Sums of the API: an amount is unknown where a part is, an energy is the sum of its known parts. */
function totalOf(
  values: readonly (string | null | undefined)[],
  name: FigureName,
): string | null | undefined {
  const given = values.filter((value) => value !== undefined)
  if (given.length === 0) return undefined
  const known = given.filter((value) => value !== null)
  if (known.length === 0 || (FIGURES[name].unit === 'try' && known.length < given.length)) return null
  return sumOf(known)
}

const keyOf = (part: Part, { group_id, billing_period, facility_id, hour }: ResultRow): string => {
  if (part === 'hours') return hour ?? ''
  return part === 'months' ? `${billing_period} ${group_id}` : `${group_id} ${facility_id}`
}

/** One figure by row. The months of a facility in a group are summed. */
export function sideRows(part: Part, rows: readonly ResultRow[], name: FigureName): SideRow[] {
  const byKey = new Map<string, ResultRow[]>()
  for (const row of rows) {
    const key = keyOf(part, row)
    byKey.set(key, [...(byKey.get(key) ?? []), row])
  }
  return [...byKey].flatMap(([key, list]) => {
    const [row] = list
    if (!row) return []
    const sum = (side: 'base' | 'scenario') =>
      totalOf(
        list.map((one) => figureOf(one[side], name)),
        name,
      )
    return [{ key, row, base: sum('base'), scenario: sum('scenario') }]
  })
}
