/** Enumerations of tariffs, with their texts and tones. */
import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import type { States } from '../../ui/states.tsx'
import type { PriceDifference } from './price-difference.ts'
import { TARIFF_PAGE_TEXTS } from './texts.ts'

export type PriceSet = ListItem<'/api/v1/admin/regulated-tariffs/price-sets'>
type MarketPrice = ListItem<'/api/energy-market/prices'>

export const SET_STATES: States<PriceSet['approval_status']> = {
  draft: { text: TARIFF_PAGE_TEXTS.TARIFFS_DRAFT, tone: 'warning' },
  approved: { text: TARIFF_PAGE_TEXTS.TARIFFS_APPROVED, tone: 'success' },
  archived: { text: TARIFF_PAGE_TEXTS.TARIFFS_ARCHIVED },
}

export const DIFFERENCES: States<PriceDifference['change']> = {
  added: { text: TARIFF_PAGE_TEXTS.TARIFFS_ADDED, tone: 'success' },
  removed: { text: TARIFF_PAGE_TEXTS.TARIFFS_REMOVED, tone: 'danger' },
  changed: { text: TARIFF_PAGE_TEXTS.TARIFFS_CHANGED, tone: 'warning' },
}

export const MARKETS: States<MarketPrice['market']> = {
  ptf: { text: TARIFF_PAGE_TEXTS.TARIFFS_PTF },
  smf: { text: TARIFF_PAGE_TEXTS.TARIFFS_SMF },
}

export const MATURITIES: States<MarketPrice['price_status']> = {
  tentative: { text: TARIFF_PAGE_TEXTS.TARIFFS_TENTATIVE, tone: 'warning' },
  final: { text: TARIFF_PAGE_TEXTS.TARIFFS_FINAL, tone: 'success' },
  corrected: { text: TARIFF_PAGE_TEXTS.TARIFFS_CORRECTED, tone: 'success' },
  unknown: { text: TARIFF_PAGE_TEXTS.TARIFFS_UNKNOWN },
}
