import type { MovementType } from '../../../core/netting/ledger.ts'
import type {
  AmountType,
  DataQuality,
  ReasonCode,
  Scenario,
  SourceKind,
} from '../../../core/netting/types.ts'
import type { ReportLocale } from '../../../platform/reports/report.ts'

/** A text in each language of the reports. */
export type Labels = Readonly<Record<ReportLocale, string>>

const label = (tr: string, en: string): Labels => ({ tr, en })

export const KINDS = ['hours', 'virtual_meters', 'amounts', 'summary', 'ledger', 'allocation'] as const
export type ReportKind = (typeof KINDS)[number]

/** The titles of the reports; the English one is also the name of the sheet. */
export const TITLES: Readonly<Record<ReportKind, Labels>> = {
  hours: label('Saatlik mahsuplaşma', 'Hourly netting'),
  virtual_meters: label('Sanal sayaçlar', 'Virtual meters'),
  amounts: label('Tutarlar', 'Amounts'),
  summary: label('Aylık özet', 'Monthly summary'),
  ledger: label('Limit hareketleri', 'Limit ledger'),
  allocation: label('Mahsuplaşan enerjinin dağılımı', 'Allocation of matched energy'),
}

/** Columns and figures by their names in the API, with their units. */
export const COLUMNS = {
  hour: label('Saat başlangıcı (Türkiye saati)', 'Start of the hour (Turkish time)'),
  day: label('Gün', 'Day'),
  production_kwh: label('Üretim (kWh)', 'Production (kWh)'),
  consumption_kwh: label('Tüketim (kWh)', 'Consumption (kWh)'),
  matched_kwh: label('Mahsuplaşan (kWh)', 'Matched (kWh)'),
  surplus_kwh: label('İhtiyaç fazlası (kWh)', 'Surplus (kWh)'),
  net_import_kwh: label('Net çekiş (kWh)', 'Net import (kWh)'),
  bedelli_kwh: label('Bedelli (kWh)', 'Paid surplus (kWh)'),
  skb_kwh: label('SKB ödemeli (kWh)', 'Surplus with system usage fee (kWh)'),
  bedelsiz_kwh: label('Bedelsiz (kWh)', 'Free surplus (kWh)'),
  matched_over_limit_kwh: label('Limit üstü mahsuplaşan (kWh)', 'Matched beyond the limit (kWh)'),
  limit_before_kwh: label('Önceki kalan limit (kWh)', 'Limit before (kWh)'),
  limit_used_kwh: label('Kullanılan limit (kWh)', 'Limit used (kWh)'),
  limit_after_kwh: label('Kalan limit (kWh)', 'Limit after (kWh)'),
  limit_opening_kwh: label('Dönem başı limit (kWh)', 'Limit at the start (kWh)'),
  limit_closing_kwh: label('Dönem sonu limit (kWh)', 'Limit at the end (kWh)'),
  data_quality: label('Veri kalitesi', 'Data quality'),
  virtual_meter_type: label('Sanal sayaç', 'Virtual meter'),
  grid_operator: label('Şebeke işletmecisi', 'Grid operator'),
  source_kind: label('Kaynak', 'Energy source'),
  reason_code: label('Neden', 'Reason'),
  energy_kwh: label('Enerji (kWh)', 'Energy (kWh)'),
  amount_type: label('Tutar türü', 'Type of amount'),
  facility: label('Tesis', 'Facility'),
  step_no: label('Kademe', 'Step'),
  quantity_kwh: label('Miktar (kWh)', 'Quantity (kWh)'),
  unit_price_try_per_kwh: label('Birim fiyat (TL/kWh)', 'Unit price (TRY/kWh)'),
  amount_try: label('Tutar (TL)', 'Amount (TRY)'),
  figure: label('Büyüklük', 'Figure'),
  value: label('Değer', 'Value'),
  scenario: label('Mahsuplaşma yöntemi', 'Netting rules'),
  hours_expected: label('Dönemin saatleri', 'Hours of the period'),
  hours_calculated: label('Hesaplanan saatler', 'Calculated hours'),
  completeness_pct: label('Veri tamlığı (%)', 'Completeness (%)'),
  booked_at: label('Kayıt zamanı (Türkiye saati)', 'Booked at (Turkish time)'),
  year: label('Yıl', 'Year'),
  movement_type: label('Hareket', 'Movement'),
  amount_kwh: label('Miktar (kWh)', 'Amount (kWh)'),
  balance_kwh: label('Bakiye (kWh)', 'Balance (kWh)'),
  billing_period: label('Fatura dönemi', 'Billing period'),
  reason: label('Açıklama', 'Reason'),
  producer: label('Üretim tesisi', 'Producer'),
  consumer: label('Tüketim tesisi', 'Consumer'),
  total: label('Toplam', 'Total'),
} as const
export type ColumnName = keyof typeof COLUMNS

const AMOUNT_TYPES: Readonly<Record<AmountType, Labels>> = {
  supplier_payment_for_matched_consumption: label(
    'Mahsuplaşan tüketim için tedarikçiye ödeme',
    'Payment to the supplier for matched consumption',
  ),
  producer_payment_for_bedelli_surplus: label(
    'Bedelli ihtiyaç fazlası için üreticiye ödeme',
    'Payment to the producer for paid surplus',
  ),
  system_usage_fee_for_skb: label('Sistem kullanım bedeli', 'System usage fee'),
  sktt_matched_consumption: label(
    'SKTT mahsuplaşan tüketim',
    'Matched consumption at the last-resort tariff',
  ),
  mesken_monthly_amount: label('Mesken aylık tutar', 'Monthly amount of a residential group'),
  estimated_savings: label('Tahmini tasarruf', 'Estimated savings'),
  estimated_loss_or_risk: label('Tahmini kayıp veya risk', 'Estimated loss or risk'),
}

const VIRTUAL_METERS = {
  bedelli: label('Bedelli', 'Paid'),
  skb_odemeli: label('SKB ödemeli', 'With system usage fee'),
  bedelsiz: label('Bedelsiz', 'Free'),
}

const REASONS: Readonly<Record<ReasonCode, Labels>> = {
  standard_matched: label('Limit içinde', 'Within the limit'),
  limit_exceeded: label('Limit doldu', 'Limit used up'),
  missing_consumption_data: label('Tüketim verisi yok', 'Consumption data missing'),
  group_conditions_not_met: label('Grup koşulları sağlanmıyor', 'Conditions of the group not met'),
  mesken_monthly: label('Mesken, aylık', 'Residential, monthly'),
}

const QUALITIES: Readonly<Record<DataQuality, Labels>> = {
  complete: label('Tam', 'Complete'),
  partial: label('Kısmi', 'Partial'),
  missing: label('Eksik', 'Missing'),
  corrected: label('Düzeltilmiş', 'Corrected'),
  suspect: label('Şüpheli', 'Suspect'),
  estimated_profiled: label('Profille tahmin', 'Estimated from a profile'),
  unknown: label('Bilinmiyor', 'Unknown'),
}

const SOURCES: Readonly<Record<SourceKind, Labels>> = {
  solar: label('Güneş', 'Solar'),
  wind: label('Rüzgâr', 'Wind'),
  hydro: label('Hidroelektrik', 'Hydro'),
  biomass: label('Biyokütle', 'Biomass'),
  geothermal: label('Jeotermal', 'Geothermal'),
  cogeneration: label('Kojenerasyon', 'Cogeneration'),
  hybrid: label('Hibrit', 'Hybrid'),
  unknown: label('Bilinmiyor', 'Unknown'),
}

const MOVEMENTS: Readonly<Record<MovementType | 'initial' | 'manual_adjustment', Labels>> = {
  initial: label('Açılış', 'Opening'),
  manual_adjustment: label('Elle düzeltme', 'Manual adjustment'),
  group_transfer_out: label('Devir, çıkış', 'Transfer out'),
  group_transfer_in: label('Devir, giriş', 'Transfer in'),
  mahsuplasan_consumption: label('Mahsuplaşan tüketim', 'Matched consumption'),
  bedelli_ihtiyac_fazlasi: label('Bedelli ihtiyaç fazlası', 'Paid surplus'),
  correction_reversal: label('Düzeltme, iptal', 'Correction, reversal'),
  correction_reapply: label('Düzeltme, yeni kayıt', 'Correction, new booking'),
}

const SCENARIOS: Readonly<Record<Scenario, Labels>> = {
  standard_hourly: label('Saatlik', 'Hourly'),
  mesken_monthly: label('Mesken, aylık', 'Residential, monthly'),
  invalid_group_bedelsiz: label('Grup geçersiz: bedelsiz', 'Invalid group: free'),
}

/** The words of the coded columns, by column and code. */
const VALUES: Readonly<Partial<Record<ColumnName, Readonly<Record<string, Labels>>>>> = {
  amount_type: AMOUNT_TYPES,
  virtual_meter_type: VIRTUAL_METERS,
  reason_code: REASONS,
  data_quality: QUALITIES,
  source_kind: SOURCES,
  movement_type: MOVEMENTS,
  scenario: SCENARIOS,
}

export const amountTypeLabel = (type: AmountType): Labels => AMOUNT_TYPES[type]

/** Sentences of the PDF. */
export const SENTENCES = {
  group: label('Grup', 'Group'),
  period: label('Fatura dönemi', 'Billing period'),
  byDay: label(
    'Değerler günlük toplamlardır; saatler XLSX ve CSV dosyalarındadır.',
    'The values are sums of days; the XLSX and CSV files contain the hours.',
  ),
  byMonth: label(
    'Değerler dönem toplamlarıdır; saatler XLSX ve CSV dosyalarındadır.',
    'The values are sums of the period; the XLSX and CSV files contain the hours.',
  ),
  withoutTax: label('Tutarlar vergisizdir.', 'Amounts are without taxes.'),
  withoutPrice: label(
    'Fiyatı bulunamayan satırlar tutarlara dahil değildir.',
    'Rows without a price are not part of the amounts.',
  ),
  allocation: label(
    'Her saatte bir üreticinin mahsuplaşan enerjisi, tüketim tesislerine mahsuplaşan tüketimleri oranında dağıtılır.',
    'In each hour the matched energy of a producer is shared among the consumers in proportion to their ' +
      'matched energy.',
  ),
} as const

/** Returns the titles and words of a report in one language, or the names and codes of the API. */
export function makeWords(locale: ReportLocale, headers: 'labels' | 'names') {
  const isNames = headers === 'names'
  return {
    title: (column: ColumnName): string => (isNames ? column : COLUMNS[column][locale]),
    word: (column: ColumnName, code: string): string =>
      isNames ? code : (VALUES[column]?.[code]?.[locale] ?? code),
  }
}
export type Words = ReturnType<typeof makeWords>

/** The words of all coded columns, for reports of other areas. */
export const WORDS: Readonly<Record<string, Labels>> = Object.assign({}, ...Object.values(VALUES))
