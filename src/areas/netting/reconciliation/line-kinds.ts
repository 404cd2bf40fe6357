import type { LineKind } from '../../../core/netting/invoice/types.ts'
import { plain } from '../../../platform/tables/index.ts'

/** What the text of a line names: patterns over the text as `plain` normalizes it, the first that fits. */
const PATTERNS: readonly (readonly [RegExp, LineKind])[] = [
  [/\b(genel toplam|vergiler dahil|kdv dahil toplam|odenecek|fatura tutari|gross total)\b/, 'gross_total'],
  [/\b(kdv toplami|toplam kdv|hesaplanan kdv|vat total)\b|^kdv( \d+)?$/, 'vat_total'],
  [/\b(ara toplam|mal hizmet toplam\w*|kdv haric toplam|net toplam|net total)\b|^toplam$/, 'net_total'],
  [/\b(enerji fonu|energy fund)\b/, 'energy_fund'],
  [/\btrt\b/, 'trt_share'],
  [/\b(belediye tuketim|btv|havagazi tuketim|elektrik tuketim vergisi|consumption tax)\b/, 'consumption_tax'],
  [/\b(sktt|son kaynak)\b/, 'sktt'],
  [/\bmesken\b.*\bmahsup|\bmahsup.*\bmesken\b|^mesken$/, 'mesken'],
  [/\b(bedelsiz|free surplus)\b/, 'bedelsiz'],
  [/\b(skb|sistem kullanim|limit ustu|over limit)\b/, 'skb'],
  [/\b(bedelli|uretici odemesi|paid surplus)\b/, 'bedelli'],
  [/\b(ihtiyac fazlasi|surplus)\b/, 'surplus'],
  [/\b(mahsup\w*|matched)\b/, 'matched'],
  [/\b(net cekis|net tuketim|sebekeden cekis|net import)\b/, 'net_import'],
  [/\b(uretim|uretilen|production)\b/, 'production'],
  [/\b(tuketim|tuketilen|consumption)\b/, 'consumption'],
]

/** Charges of a mapping by the normalized text of a line; null: the line is known to be something else. */
export type MappedLines = ReadonlyMap<string, LineKind | null>

/** The charge that a text names; null where it names none. Surplus that has a price is paid surplus. */
export function kindOf(text: string, mapped: MappedLines, hasMoney: boolean): LineKind | null {
  const normalized = plain(text)
  const own = mapped.get(normalized)
  if (own !== undefined) return own
  const kind = PATTERNS.find(([pattern]) => pattern.test(normalized))?.[1] ?? null
  return kind === 'surplus' && hasMoney ? 'bedelli' : kind
}

const STEP = /\b(\d) (?:nci |inci |uncu |ncu )?kademe\b|\bkademe (\d)\b|\bstep (\d)\b/
/** The price step that a text names: 1. kademe, düşük kademe. */
export function stepOf(text: string): number | null {
  const normalized = plain(text)
  const match = STEP.exec(normalized)
  if (match) return Number(match[1] ?? match[2] ?? match[3])
  if (/\bdusuk kademe\b/.test(normalized)) return 1
  return /\byuksek kademe\b/.test(normalized) ? 2 : null
}
