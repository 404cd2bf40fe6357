/** The energies of an hour that pages show, with their names in addresses and their colours. */
import { NETTING_TEXTS } from './texts.ts'

export const QUANTITIES = [
  {
    id: 'production',
    field: 'production_kwh',
    text: NETTING_TEXTS.NETTING_PRODUCTION,
    color: 'var(--energy-production)',
  },
  {
    id: 'consumption',
    field: 'consumption_kwh',
    text: NETTING_TEXTS.NETTING_CONSUMPTION,
    color: 'var(--energy-consumption)',
  },
  {
    id: 'matched',
    field: 'matched_kwh',
    text: NETTING_TEXTS.NETTING_MATCHED,
    color: 'var(--energy-matched)',
  },
  { id: 'paid', field: 'bedelli_kwh', text: NETTING_TEXTS.NETTING_PAID, color: 'var(--energy-paid)' },
  {
    id: 'over-limit',
    field: 'skb_kwh',
    text: NETTING_TEXTS.NETTING_OVER_LIMIT,
    color: 'var(--energy-over-limit)',
  },
  { id: 'free', field: 'bedelsiz_kwh', text: NETTING_TEXTS.NETTING_FREE, color: 'var(--energy-free)' },
] as const

export type QuantityField = (typeof QUANTITIES)[number]['field']
export type QuantityId = (typeof QUANTITIES)[number]['id']
