/** Errors that are planted into an invoice, each with the findings that it has to lead to. */
import type { Cause, OwnResults } from '../../../src/core/netting/invoice/types.ts'
import { at } from '../../../src/kernel/checked.ts'
import { amountOf, type DraftCharge, type DraftInvoice, fund, percent } from './invoices.ts'

/** What an error adds to the invoice, in millionths of a lira; null for energy without an amount. */
type Claim = (before: DraftInvoice, after: DraftInvoice) => bigint | null

export interface PlantedError {
  readonly name: string
  /** Lines by kind, step and time, with the cause and the amount. */
  readonly findings: Readonly<Record<string, readonly [cause: Cause, claim: Claim]>>
  plant(invoice: DraftInvoice, own: OwnResults): void
}

const MATCHED_1 = 0
const MATCHED_2 = 1
const PAID = 2
const OVER = 3
const TAX = 4

const changeOf =
  (field: 'amount' | 'vat', index: number): Claim =>
  (before, after) =>
    at(after.charges, index)[field] - at(before.charges, index)[field]
const amountChange = (index: number) => changeOf('amount', index)
const vatChange = (index: number) => changeOf('vat', index)
const noAmount: Claim = () => null

const price = (own: OwnResults, id: string): bigint => {
  const row = own.prices.find((each) => each.id === id)
  if (!row) throw new Error(`no price ${id}`)
  return row.priceTryPerKwh
}

/** Replaces a charge, and what follows from its amount: its tax, and the municipal tax. */
function replace({ charges }: DraftInvoice, index: number, change: Partial<DraftCharge>): void {
  const before = at(charges, index)
  const after = { ...before, ...change }
  const { quantity, price: unitPrice } = after
  if (change.amount === undefined && quantity !== null && unitPrice !== null)
    after.amount = amountOf(quantity, unitPrice)
  if (change.vat === undefined) after.vat = percent(after.amount, after.vatRate)
  charges[index] = after
  const tax = charges[TAX]
  if (tax && index < PAID) {
    const base = at(charges, MATCHED_1).amount + at(charges, MATCHED_2).amount
    charges[TAX] = fund(tax.text, tax.fundCode ?? '', base, tax.rate ?? 0)
  }
}

/** An hour of the first days, in which everything is in the first step. */
const sunnyHour = (own: OwnResults) => {
  const found = own.hours.find(({ energies }) => (energies.matched ?? 0n) > 1000n)
  if (!found) throw new Error('no hour with matched energy')
  return { hour: found.hour, matched: found.energies.matched ?? 0n }
}

const JUNE = '2026-06-01'

export const PLANTED_ERRORS: readonly PlantedError[] = [
  {
    name: 'a quantity that lacks one hour',
    findings: { 'matched 1 month': ['hour', amountChange(MATCHED_1)] },
    plant: (invoice, own) =>
      replace(invoice, MATCHED_1, {
        quantity: (at(invoice.charges, MATCHED_1).quantity ?? 0n) - sunnyHour(own).matched,
      }),
  },
  {
    name: 'hours that are labelled one hour too late',
    findings: { 'matched hour': ['hour', noAmount] },
    plant: (invoice) => {
      const { hours } = invoice
      invoice.hours = hours.map((each, index) => ({ ...each, matched: hours[index - 1]?.matched ?? 0n }))
    },
  },
  {
    name: 'one hour with another reading',
    findings: { 'matched hour': ['hour', noAmount] },
    plant: (invoice, own) => {
      const row = invoice.hours.find(({ hour }) => hour === sunnyHour(own).hour)
      if (row) row.matched += 137n
    },
  },
  {
    name: 'the price row of another subscriber group',
    findings: { 'bedelli month': ['price_row', amountChange(PAID)] },
    plant: (invoice, own) =>
      replace(invoice, PAID, {
        price: price(own, `${JUNE} tarimsal_sulama mahsuplasma_lowest_related_tariff tek  `),
      }),
  },
  {
    name: 'the price row of the month before',
    findings: { 'bedelli month': ['price_row', amountChange(PAID)] },
    plant: (invoice, own) =>
      replace(invoice, PAID, {
        price: price(own, '2026-05-01 ticarethane mahsuplasma_lowest_related_tariff tek  '),
      }),
  },
  {
    name: 'the system usage fee of the other producer class',
    findings: { 'skb month': ['price_row', amountChange(OVER)] },
    plant: (invoice, own) =>
      replace(invoice, OVER, { price: price(own, `${JUNE} other system_usage  1 lisanssiz_uretici_1`) }),
  },
  {
    name: 'the price of the other step',
    findings: { 'matched 1 month': ['tier', amountChange(MATCHED_1)] },
    plant: (invoice) => replace(invoice, MATCHED_1, { price: at(invoice.charges, MATCHED_2).price }),
  },
  {
    name: 'energy in the wrong step',
    findings: {
      'matched 1 month': ['tier', amountChange(MATCHED_1)],
      'matched 2 month': ['tier', amountChange(MATCHED_2)],
    },
    plant: (invoice) => {
      for (const [index, moved] of [
        [MATCHED_1, -50_123n],
        [MATCHED_2, 50_123n],
      ] as const)
        replace(invoice, index, { quantity: (at(invoice.charges, index).quantity ?? 0n) + moved })
    },
  },
  {
    name: 'a rate of value added tax that does not apply',
    findings: { 'bedelli month': ['vat', vatChange(PAID)] },
    plant: (invoice) => replace(invoice, PAID, { vatRate: 18 }),
  },
  {
    name: 'an amount of value added tax that is not its rate',
    findings: { 'skb month': ['vat', vatChange(OVER)] },
    plant: (invoice) => replace(invoice, OVER, { vat: at(invoice.charges, OVER).vat + 3_210_000n }),
  },
  {
    name: 'an amount that contains value added tax',
    findings: { 'bedelli month': ['vat', amountChange(PAID)] },
    plant: (invoice) => {
      const { amount, vat } = at(invoice.charges, PAID)
      replace(invoice, PAID, { amount: amount + vat })
    },
  },
  {
    name: 'a fund that is no longer charged',
    findings: { 'trt_share month': ['fund', (_before, { charges }) => at(charges, TAX + 1).amount] },
    plant: ({ charges }) => {
      charges.push(fund('TRT payı', '8004', at(charges, TAX).base ?? 0n, 2))
    },
  },
  {
    name: 'a municipal consumption tax of the wrong rate',
    findings: { 'consumption_tax month': ['fund', amountChange(TAX)] },
    plant: ({ charges }) => {
      charges[TAX] = fund('Belediye tüketim vergisi', '4071', at(charges, TAX).base ?? 0n, 6)
    },
  },
  {
    name: 'energy over the limit that counts as paid',
    findings: { 'bedelli month': ['limit', amountChange(PAID)], 'skb month': ['limit', amountChange(OVER)] },
    plant: (invoice) => {
      for (const [index, moved] of [
        [PAID, 20_000n],
        [OVER, -20_000n],
      ] as const)
        replace(invoice, index, { quantity: (at(invoice.charges, index).quantity ?? 0n) + moved })
    },
  },
  {
    name: 'an amount that is not quantity times price',
    findings: { 'bedelli month': ['arithmetic', amountChange(PAID)] },
    plant: (invoice) => replace(invoice, PAID, { amount: at(invoice.charges, PAID).amount + 90_000_000n }),
  },
  {
    name: 'a line that is charged twice',
    findings: { 'skb month': ['duplicate', ({ charges }) => at(charges, OVER).amount] },
    plant: ({ charges }) => {
      charges.splice(OVER, 0, { ...at(charges, OVER) })
    },
  },
  {
    name: 'megawatt-hours that are printed as kilowatt-hours',
    findings: { 'bedelli month': ['unit', amountChange(PAID)] },
    plant: (invoice) => {
      const { quantity, amount } = at(invoice.charges, PAID)
      replace(invoice, PAID, { quantity: ((quantity ?? 0n) + 500n) / 1000n, amount })
    },
  },
  {
    name: 'a sum that is not that of its lines',
    findings: { 'gross_total month': ['arithmetic', (_before, { wrongTotal }) => wrongTotal] },
    plant: (invoice) => {
      invoice.wrongTotal = 100_000_000n
    },
  },
]
