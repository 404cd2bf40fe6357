/** June 2026 of a shop, a workshop and a plant with the loads and the sun of the demo, as the engine calculates it. */
import { readFileSync } from 'node:fs'
import type { Energies, OwnResults } from '../../../src/core/netting/invoice/types.ts'
import { computePeriod } from '../../../src/core/netting/period.ts'
import type {
  AboneGrubu,
  PeriodResult,
  PricePurpose,
  PriceRowInput,
  TimeSegment,
} from '../../../src/core/netting/types.ts'
import { parsePrice, wh } from '../../../src/kernel/decimal.ts'
import { HOUR_MS, periodRange } from '../../../src/kernel/time.ts'
import { makeAssignment, makeFacts, makeMember } from './netting-input.ts'

const DEMO_MONTH = '2026-06-01'
const { from, to } = periodRange(DEMO_MONTH)
const CONSUMERS = ['shop', 'workshop'] as const

/** Prices of the shipped table, and a tenth less in the month before. */
function prices(): PriceRowInput[] {
  const lines = readFileSync('seed/tariffs/epdk-2026-04-ag.csv', 'utf8').trim().split('\n').slice(1)
  const row = (line: string, billingPeriod: string, share: bigint): PriceRowInput => {
    const [, , abone, purpose, price = '', , voltage, code, tariffClass, segment, step] = line.split(',')
    const own = ((parsePrice(price) as bigint) * share) / 10n
    return {
      id: `${billingPeriod} ${abone} ${purpose} ${segment} ${step} ${tariffClass}`,
      setId: billingPeriod,
      billingPeriod,
      setStatus: 'approved',
      approvedAt: Date.parse(billingPeriod),
      validFrom: billingPeriod,
      validTo: null,
      aboneGrubu: abone as AboneGrubu,
      purpose: purpose as PricePurpose,
      timeSegment: segment === '' ? null : (segment as TimeSegment),
      stepNo: step ? Number(step) : null,
      tariffClass: tariffClass || null,
      tariffCode: code || null,
      voltageLevel: voltage === 'AG' ? 'AG' : null,
      priceTryPerKwh: own as PriceRowInput['priceTryPerKwh'],
    }
  }
  return [
    ...lines.map((line) => row(line, '2026-06-01', 10n)),
    ...lines.map((line) => row(line, '2026-05-01', 9n)),
  ]
}

const PRICES = prices()

function compute(): PeriodResult {
  const rows = readFileSync('seed/demo/hours.csv', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
    .filter(([day]) => day?.startsWith('06-'))
  const facts = rows.flatMap(([day, hour, load1, sun1, load2], index) => {
    const at = from + index * HOUR_MS
    if (`2026-${day}` !== new Date(at + 3 * HOUR_MS).toISOString().slice(0, 10))
      throw new Error(`${day} ${hour}`)
    return [
      ...makeFacts('plant', at, { production: wh(BigInt(sun1 ?? 0) * 9n) }),
      ...makeFacts('shop', at, { consumption: wh(BigInt(load1 ?? 0) * 2n) }),
      ...makeFacts('workshop', at, { consumption: wh(BigInt(load2 ?? 0)) }),
    ]
  })
  return computePeriod({
    groupId: 'demo',
    groupName: 'demo',
    billingPeriod: DEMO_MONTH,
    window: { from, to },
    eligibilityStatus: 'valid',
    members: [
      makeMember('plant', {
        role: 'production',
        aboneGrubu: null,
        producerTariffGroup: 'lisanssiz_uretici_2',
      }),
      ...CONSUMERS.map((id) => makeMember(id, { aboneGrubu: 'ticarethane' })),
    ],
    assignments: [
      makeAssignment('plant', 'main_production'),
      ...CONSUMERS.map((id) => makeAssignment(id, 'main_consumption')),
    ],
    facts,
    accounts: CONSUMERS.map((facilityId) => ({
      accountId: `account of ${facilityId}`,
      facilityId,
      year: 2026,
      openingBalanceKwh: wh(facilityId === 'shop' ? 750_000n : 600_000n),
    })),
    prices: PRICES,
    stepStates: [],
  })
}

const KIND_OF = {
  supplier_payment_for_matched_consumption: 'matched',
  producer_payment_for_bedelli_surplus: 'bedelli',
  system_usage_fee_for_skb: 'skb',
} as const

const energies = (row: Omit<PeriodResult['hours'][number], 'hour'> | PeriodResult['summary']): Energies => ({
  production: row.productionKwh,
  consumption: row.consumptionKwh,
  matched: row.matchedKwh,
  surplus: row.surplusKwh,
  net_import: row.netImportKwh,
  bedelli: row.bedelliKwh,
  skb: row.skbKwh,
  bedelsiz: row.bedelsizKwh,
})

/** The month as the classification of invoices sees it. */
export function demoMonth(): OwnResults {
  const result = compute()
  return {
    billingPeriod: DEMO_MONTH,
    isByMonth: false,
    hours: result.hours.map((row) => ({ hour: row.hour, energies: energies(row) })),
    month: energies(result.summary),
    amounts: result.amounts.flatMap((row) => {
      const kind = KIND_OF[row.amountType as keyof typeof KIND_OF]
      if (!kind) return []
      const { hour, facilityId, stepNo, quantityKwh, unitPriceTryPerKwh, amountTry, tariffPriceId } = row
      return [
        {
          ...{ hour, kind, facilityId, stepNo, quantity: quantityKwh, amount: amountTry },
          ...{ unitPrice: unitPriceTryPerKwh, priceId: tariffPriceId },
        },
      ]
    }),
    prices: PRICES,
    subscriberGroups: ['ticarethane'],
    facilityIdOf: (text) => CONSUMERS.find((id) => id === text.toLowerCase()),
  }
}
