import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  makeAssignment,
  makeFacts,
  makeMember,
  makePrices,
} from '../../../../test/support/netting/netting-input.ts'
import { formatKwh, formatTry, type Kwh, parseKwh, subtract, wh, ZERO_KWH } from '../../../kernel/decimal.ts'
import { HOUR_MS, periodRange, periodStart } from '../../../kernel/time.ts'
import { computePeriod } from '../period.ts'
import type { PeriodInput, PricePurpose } from '../types.ts'
import { computeBase, computeScenario } from './compute.ts'
import { balanceOf, type RunFigures, sumTry } from './figures.ts'
import { computeSizing, prepareSizing } from './sizing.ts'
import type { Change } from './types.ts'

const doc = readFileSync(new URL('../../../../docs/understand/netting/scenarios.md', import.meta.url), 'utf8')

function block(title: string): string[] {
  const text = new RegExp(`^\`\`\`text ${title}.*\n([^\`]*)^\`\`\`$`, 'm').exec(doc)?.[1]
  return text?.trimEnd().split('\n') ?? []
}

const prices = makePrices(
  block('prices').map((line) => {
    const [purpose, price = ''] = line.split(' ')
    const abone = purpose === 'system_usage' ? 'other' : 'sanayi'
    return { abone, purpose: purpose as PricePurpose, price, segment: 'tek' as const }
  }),
)

function inputOf(month: string, openingBalanceKwh: Kwh): PeriodInput {
  const start = periodStart(`${month}-01`)
  const rows = block('hours').filter((line) => line.startsWith(month))
  return {
    groupId: 'group',
    groupName: 'Group',
    billingPeriod: `${month}-01`,
    window: periodRange(`${month}-01`),
    eligibilityStatus: 'valid',
    members: [makeMember('plant', { role: 'production' }), makeMember('works')],
    assignments: [makeAssignment('plant', 'main_production'), makeAssignment('works', 'main_consumption')],
    facts: rows.flatMap((line) => {
      const [, hour, production = '', consumption = ''] = line.split(' ')
      const at = start + Number(hour) * HOUR_MS
      return [
        ...makeFacts('plant', at, { production: parseKwh(production) }),
        ...makeFacts('works', at, { consumption: parseKwh(consumption) }),
      ]
    }),
    accounts: [{ accountId: 'a', facilityId: 'works', year: 2026, openingBalanceKwh }],
    prices,
    stepStates: [],
  }
}

function documentedBase() {
  const june = inputOf('2026-06', wh(60_000n))
  const left = computePeriod(june).usageByAccount[0]?.closingBalanceKwh ?? ZERO_KWH
  const inputs = [june, inputOf('2026-07', left)]
  const base = {
    from: '2026-06-01',
    to: '2026-07-01',
    inputs,
    others: [],
    solarShape: [],
    marketPrices: new Map(),
  }
  return computeBase(base)
}

const lineOf = (run: RunFigures): string => {
  const { summary, usageByAccount } = run.result
  const kwh = (value: Kwh | null) => formatKwh(value ?? ZERO_KWH)
  return [
    run.billingPeriod.slice(0, 7),
    ...['matched', kwh(summary.matchedKwh), 'paid', kwh(summary.bedelliKwh)],
    ...['over_limit', kwh(summary.skbKwh), 'bought', kwh(summary.netImportKwh)],
    ...['balance', formatTry(balanceOf(run) ?? (0n as never))],
    ...['left', kwh(usageByAccount[0]?.closingBalanceKwh ?? null)],
  ].join(' ')
}

function linesOf(changes: readonly Change[]): string[] {
  const computed = documentedBase()
  const { runs, batteries } = computeScenario(computed, changes)
  const before = sumTry([...computed.runs.values()].map(balanceOf))
  const after = sumTry(runs.map(balanceOf))
  const benefit = before === null || after === null ? [] : [`benefit ${formatTry(subtract(after, before))}`]
  return [
    ...runs.map(lineOf),
    ...(changes.length > 0 ? benefit : []),
    ...batteries.map(({ chargedKwh, dischargedKwh, lossKwh, leftKwh }) =>
      ['battery charged', formatKwh(chargedKwh), 'discharged', formatKwh(dischargedKwh)]
        .concat(['loss', formatKwh(lossKwh), 'left', formatKwh(leftKwh)])
        .join(' '),
    ),
  ]
}

describe('the example of the document', () => {
  test('base', () => {
    expect(linesOf([])).toEqual(block('base'))
  })
  test('a plant of twice the size binds the limit in the second month', () => {
    const change = { type: 'scale_plant', facilityId: 'plant', factor: 2_000_000n } as const
    expect(linesOf([change])).toEqual(block('scale_plant 2'))
  })
  test('a battery at the works', () => {
    const battery = { capacityKwh: wh(10_000n), powerKwh: wh(5_000n), efficiency: 800_000n }
    const hours = { chargeHours: [], dischargeHours: [] }
    const rule = { rule: 'self_consumption', balanceOf: 'group' } as const
    const change = { type: 'add_battery', facilityId: 'works', ...battery, ...rule, ...hours } as const
    expect(linesOf([change])).toEqual(block('add_battery 10 5 0.8'))
  })
})

test('the sizing of the document is computed by the engine', () => {
  const sizes = [500_000n, 1_000_000n, 2_000_000n]
  const changes: Change[] = [{ type: 'scale_plant', facilityId: 'plant', factor: 1_000_000n }]
  const sizing = computeSizing(prepareSizing(documentedBase().base), { changes, changeIndex: 0, sizes })
  const lines = sizing.points.map(
    ({ size, matchedKwh, paidKwh, overLimitKwh, benefitTry }) =>
      `${Number(size) / 1_000_000} matched ${formatKwh(matchedKwh ?? ZERO_KWH)} paid ${formatKwh(paidKwh ?? ZERO_KWH)} ` +
      `over_limit ${formatKwh(overLimitKwh ?? ZERO_KWH)} benefit ${benefitTry === null ? '-' : formatTry(benefitTry)}`,
  )
  expect(block('sizing scale_plant')).toEqual([
    ...lines,
    `binding_size ${Number(sizing.bindingSize) / 1_000_000}`,
  ])
})
