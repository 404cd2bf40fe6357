/** Words for the codes of the API about netting; those of the reports of the service. */
import type { Language, Texts } from '../../../../src/kernel/messages.ts'
import { useLanguage } from '../../kernel/text.tsx'

const word = (tr: string, en: string): Texts => ({ tr, en })

/** A function that gives the word of a code in the language of the reader; a code without a word is shown itself. */
export function useWord(): (words: Readonly<Record<string, Texts>>, code: string) => string {
  const { language } = useLanguage()
  return (words, code) => wordOf(words, code, language)
}

const wordOf = (words: Readonly<Record<string, Texts>>, code: string, language: Language): string =>
  words[code]?.[language] ?? code

export const FACT_SOURCES = {
  lum_official_report: word('LÜM raporu', 'Report of the market operator (LÜM)'),
  gts_report: word('GTŞ raporu', 'Report of the supplier (GTŞ)'),
  pys_import: word('PYS', 'PYS import'),
  osos_official_meter: word('OSOS (resmî sayaç)', 'OSOS (official meter)'),
  zeus_meter: word('Kendi sayacımız', 'Own meter'),
  customer_declared: word('Müşteri beyanı', 'Declared by the customer'),
  profiled_estimate: word('Profille tahmin', 'Estimated from a profile'),
  missing: word('Ölçüm yok', 'Not measured'),
} satisfies Readonly<Record<string, Texts>>

/** The sources by their strength: the strongest one with a value counts. */
export const SOURCE_ORDER: readonly string[] = Object.keys(FACT_SOURCES)

export const METER_ROLES = {
  main_production: word('Üretim', 'Production'),
  main_consumption: word('Tüketim', 'Consumption'),
  pcc_import_export: word('Bağlantı noktası', 'Connection point'),
  osb_eb_consumption: word('OSB/EB tüketimi', 'Consumption in an industrial zone'),
  battery: word('Batarya', 'Battery'),
  self_consumption: word('Öz tüketim', 'Self-consumption'),
  aux_production: word('Yardımcı üretim', 'Auxiliary production'),
  aux_consumption: word('Yardımcı tüketim', 'Auxiliary consumption'),
  check_meter: word('Kontrol sayacı', 'Check meter'),
} satisfies Readonly<Record<string, Texts>>

export const MEMBER_ROLES = {
  production: word('Üretici', 'Producer'),
  consumption: word('Tüketici', 'Consumer'),
  mixed: word('Üretici ve tüketici', 'Producer and consumer'),
} satisfies Readonly<Record<string, Texts>>

export const QUALITIES = {
  complete: word('Tam', 'Complete'),
  partial: word('Kısmi', 'Partial'),
  missing: word('Eksik', 'Missing'),
  corrected: word('Düzeltilmiş', 'Corrected'),
  suspect: word('Şüpheli', 'Suspect'),
  estimated_profiled: word('Profille tahmin', 'Estimated from a profile'),
  unknown: word('Bilinmiyor', 'Unknown'),
} satisfies Readonly<Record<string, Texts>>

export const VIRTUAL_METERS = {
  bedelli: word('Bedelli', 'Paid'),
  skb_odemeli: word('SKB ödemeli', 'With system usage fee'),
  bedelsiz: word('Bedelsiz', 'Free'),
} satisfies Readonly<Record<string, Texts>>

export const REASONS = {
  standard_matched: word('Limit içinde', 'Within the limit'),
  limit_exceeded: word('Limit doldu', 'Limit used up'),
  missing_consumption_data: word('Tüketim verisi yok', 'Consumption data missing'),
  group_conditions_not_met: word('Grup koşulları sağlanmıyor', 'Conditions of the group not met'),
  mesken_monthly: word('Mesken, aylık', 'Residential, monthly'),
} satisfies Readonly<Record<string, Texts>>

export const ENERGY_SOURCES = {
  solar: word('Güneş', 'Solar'),
  wind: word('Rüzgâr', 'Wind'),
  hydro: word('Hidroelektrik', 'Hydro'),
  biomass: word('Biyokütle', 'Biomass'),
  geothermal: word('Jeotermal', 'Geothermal'),
  cogeneration: word('Kojenerasyon', 'Cogeneration'),
  hybrid: word('Hibrit', 'Hybrid'),
  unknown: word('Bilinmiyor', 'Unknown'),
} satisfies Readonly<Record<string, Texts>>

export const AMOUNT_TYPES = {
  supplier_payment_for_matched_consumption: word(
    'Mahsuplaşan tüketim için tedarikçiye ödeme',
    'Payment to the supplier for matched consumption',
  ),
  producer_payment_for_bedelli_surplus: word(
    'Bedelli ihtiyaç fazlası için üreticiye ödeme',
    'Payment to the producer for paid surplus',
  ),
  system_usage_fee_for_skb: word('Sistem kullanım bedeli', 'System usage fee'),
  sktt_matched_consumption: word('SKTT mahsuplaşan tüketim', 'Matched consumption at the last-resort tariff'),
  mesken_monthly_amount: word('Mesken aylık tutar', 'Monthly amount of a residential group'),
  estimated_savings: word('Tahmini tasarruf', 'Estimated savings'),
  estimated_loss_or_risk: word('Tahmini kayıp veya risk', 'Estimated loss or risk'),
} satisfies Readonly<Record<string, Texts>>

export const MOVEMENTS = {
  initial: word('Açılış', 'Opening'),
  manual_adjustment: word('Elle düzeltme', 'Manual adjustment'),
  group_transfer_out: word('Devir, çıkış', 'Transfer out'),
  group_transfer_in: word('Devir, giriş', 'Transfer in'),
  mahsuplasan_consumption: word('Mahsuplaşan tüketim', 'Matched consumption'),
  bedelli_ihtiyac_fazlasi: word('Bedelli ihtiyaç fazlası', 'Paid surplus'),
  correction_reversal: word('Düzeltme, iptal', 'Correction, reversal'),
  correction_reapply: word('Düzeltme, yeni kayıt', 'Correction, new booking'),
} satisfies Readonly<Record<string, Texts>>

export const SCENARIOS = {
  standard_hourly: word('Saatlik', 'Hourly'),
  mesken_monthly: word('Mesken, aylık', 'Residential, monthly'),
  invalid_group_bedelsiz: word('Grup geçersiz: bedelsiz', 'Invalid group: free'),
} satisfies Readonly<Record<string, Texts>>

export const TRIGGERS = {
  beat: word('Zaman çizelgesi', 'Schedule'),
  manual: word('İstek', 'Request'),
  correction_cascade: word('Düzeltme', 'Correction'),
} satisfies Readonly<Record<string, Texts>>

export const STAGES = {
  preliminary: word('ön hesap', 'preliminary'),
  corrected: word('düzeltilmiş hesap', 'corrected'),
  daily_backfill: word('günlük tamamlama', 'daily backfill'),
  monthly_close: word('ay kapanışı', 'monthly close'),
  automatic_correction: word('otomatik düzeltme', 'automatic correction'),
} satisfies Readonly<Record<string, Texts>>

export const PRICE_PURPOSES = {
  mahsuplasma_related_tariff: word('Mahsuplaşma ilgili tarifesi', 'Related tariff of netting'),
  mahsuplasma_lowest_related_tariff: word('En düşük ilgili tarife', 'Lowest related tariff'),
  sktt_active_energy: word('SKTT aktif enerji', 'Last-resource active energy (SKTT)'),
  customer_bill_active_energy: word('Müşteri faturası aktif enerji', 'Active energy on the bill'),
  system_usage: word('Sistem kullanımı', 'System usage'),
  distribution: word('Dağıtım', 'Distribution'),
  other: word('Diğer', 'Other'),
} satisfies Readonly<Record<string, Texts>>

export const SUBSCRIBERS = {
  mesken: word('Mesken', 'Residential'),
  ticarethane: word('Ticarethane', 'Commercial'),
  sanayi: word('Sanayi', 'Industrial'),
  tarimsal_sulama: word('Tarımsal sulama', 'Irrigation'),
  aydinlatma: word('Aydınlatma', 'Lighting'),
  other: word('Diğer', 'Other'),
} satisfies Readonly<Record<string, Texts>>

export const TIME_SEGMENTS = {
  tek: word('Tek zamanlı', 'Single-time'),
  gunduz: word('Gündüz', 'Day'),
  puant: word('Puant', 'Peak'),
  gece: word('Gece', 'Night'),
} satisfies Readonly<Record<string, Texts>>
