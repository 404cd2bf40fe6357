import { type Message, messages } from '../../../../../src/kernel/messages.ts'
import { fieldText } from '../../../records/field-texts.ts'
import { valueText } from '../../../records/value-texts.ts'

/** The types of changes, their fields and values. The codes end in the names of the API. */
const CHANGE_TEXTS = messages({
  SCENARIO_WORD_add_facility: { en: 'Add a facility', tr: 'Tesis ekle' },
  SCENARIO_WORD_add_plant: { en: 'Add a plant to a facility', tr: 'Tesise santral ekle' },
  SCENARIO_WORD_add_load: { en: 'Add a load or charging site', tr: 'Yük ya da şarj istasyonu ekle' },
  SCENARIO_WORD_scale_plant: { en: 'Scale the production', tr: 'Üretimi ölçekle' },
  SCENARIO_WORD_scale_load: { en: 'Scale the consumption', tr: 'Tüketimi ölçekle' },
  SCENARIO_WORD_add_battery: { en: 'Add a battery', tr: 'Batarya ekle' },
  SCENARIO_WORD_shift_load: { en: 'Shift consumption within the day', tr: 'Tüketimi gün içinde kaydır' },
  SCENARIO_WORD_join_group: { en: 'A facility joins a group', tr: 'Tesis gruba katılır' },
  SCENARIO_WORD_leave_group: { en: 'A facility leaves a group', tr: 'Tesis gruptan ayrılır' },
  SCENARIO_WORD_move_facility: { en: 'A facility changes its group', tr: 'Tesis grup değiştirir' },
  SCENARIO_WORD_change_facility: {
    en: 'Role, tariff or supply of a facility',
    tr: 'Tesisin görevi, tarifesi ya da tedariki',
  },
  SCENARIO_WORD_change_limit: { en: 'Another limit', tr: 'Başka limit' },
  SCENARIO_WORD_transfer_limit: { en: 'Transfer of a limit', tr: 'Limit aktarımı' },
  SCENARIO_WORD_scale_price: { en: 'Scale a price', tr: 'Fiyatı ölçekle' },
  SCENARIO_WORD_set_price: { en: 'Set a price', tr: 'Fiyat belirle' },
  SCENARIO_WORD_market_price: { en: 'Buy at the market price (PTF)', tr: 'Piyasa fiyatıyla (PTF) satın al' },
  SCENARIO_WORD_netting_interval: { en: 'Netting by hour or month', tr: 'Saatlik ya da aylık mahsuplaşma' },
  SCENARIO_FIELD_type: { en: 'Kind of change', tr: 'Değişiklik türü' },
  SCENARIO_FIELD_group_id: { en: 'Group', tr: 'Grup' },
  SCENARIO_FIELD_from_group_id: { en: 'Group that it leaves', tr: 'Ayrıldığı grup' },
  SCENARIO_FIELD_source_facility_id: { en: 'From the facility', tr: 'Veren tesis' },
  SCENARIO_FIELD_target_facility_id: { en: 'To the facility', tr: 'Alan tesis' },
  SCENARIO_FIELD_from: { en: 'First day', tr: 'İlk gün' },
  SCENARIO_FIELD_to: { en: 'Day after the last one', tr: 'Son günden sonraki gün' },
  SCENARIO_FIELD_month: { en: 'From the start of the month', tr: 'Şu ayın başından' },
  SCENARIO_FIELD_role: { en: 'Role', tr: 'Görev' },
  SCENARIO_FIELD_profile: { en: 'Energy by hour', tr: 'Saatlik enerji' },
  SCENARIO_FIELD_production: { en: 'Production by hour', tr: 'Saatlik üretim' },
  SCENARIO_FIELD_consumption: { en: 'Consumption by hour', tr: 'Saatlik tüketim' },
  SCENARIO_FIELD_limit_kwh: { en: 'Limit of each year, kWh', tr: 'Yıllık limit, kWh' },
  SCENARIO_FIELD_factor: { en: 'Factor', tr: 'Çarpan' },
  SCENARIO_FIELD_capacity_kwh: { en: 'Capacity, kWh', tr: 'Kapasite, kWh' },
  SCENARIO_FIELD_power_kw: { en: 'Power, kW', tr: 'Güç, kW' },
  SCENARIO_FIELD_efficiency: { en: 'Efficiency, at most 1', tr: 'Verim, en çok 1' },
  SCENARIO_FIELD_rule: { en: 'Dispatch', tr: 'İşletme kuralı' },
  SCENARIO_FIELD_balance_of: { en: 'Surplus of', tr: 'Kimin fazlası' },
  SCENARIO_FIELD_charge_hours: { en: 'Charges in the hours (0 to 23)', tr: 'Şarj saatleri (0–23)' },
  SCENARIO_FIELD_discharge_hours: { en: 'Discharges in the hours (0 to 23)', tr: 'Deşarj saatleri (0–23)' },
  SCENARIO_FIELD_share: { en: 'Share of the consumption, at most 1', tr: 'Tüketimin payı, en çok 1' },
  SCENARIO_FIELD_from_hours: { en: 'From the hours (0 to 23)', tr: 'Şu saatlerden (0–23)' },
  SCENARIO_FIELD_to_hours: { en: 'To the hours (0 to 23)', tr: 'Şu saatlere (0–23)' },
  SCENARIO_FIELD_purpose: { en: 'Price', tr: 'Fiyat' },
  SCENARIO_FIELD_time_segment: { en: 'Time segment', tr: 'Zaman dilimi' },
  SCENARIO_FIELD_price_try_per_kwh: { en: 'New price, TL/kWh', tr: 'Yeni fiyat, TL/kWh' },
  SCENARIO_FIELD_margin_try_per_kwh: { en: 'Margin, TL/kWh', tr: 'Marj, TL/kWh' },
  SCENARIO_FIELD_amount_kwh: { en: 'Amount of the limit, kWh', tr: 'Limit miktarı, kWh' },
  SCENARIO_FIELD_interval: { en: 'Interval', tr: 'Aralık' },
  SCENARIO_FIELD_kind: { en: 'Shape', tr: 'Biçim' },
  SCENARIO_FIELD_yield_kwh_per_kw: { en: 'Yearly yield of a kW, kWh', tr: 'Bir kW için yıllık verim, kWh' },
  SCENARIO_FIELD_values_kwh: {
    en: 'Values, kWh: 24, 168, or each hour',
    tr: 'Değerler, kWh: 24, 168 ya da her saat',
  },
  SCENARIO_WORD_facility: { en: 'a measured facility', tr: 'ölçülen bir tesis' },
  SCENARIO_WORD_balance_of_facility: { en: 'the facility itself', tr: 'tesisin kendisi' },
  SCENARIO_WORD_group: { en: 'the group', tr: 'grup' },
  SCENARIO_WORD_national_solar: { en: 'solar plants of Turkey', tr: 'Türkiye güneş santralleri' },
  SCENARIO_WORD_hours: { en: 'own values', tr: 'kendi değerlerim' },
  SCENARIO_WORD_self_consumption: { en: 'stores the surplus', tr: 'fazlayı depolar' },
  SCENARIO_WORD_time_of_price: { en: 'by hours of the day', tr: 'günün saatlerine göre' },
  SCENARIO_WORD_month: { en: 'month', tr: 'ay' },
  SCENARIO_WORD_tek: { en: 'single rate', tr: 'tek zamanlı' },
  SCENARIO_WORD_gunduz: { en: 'day', tr: 'gündüz' },
  SCENARIO_WORD_puant: { en: 'peak', tr: 'puant' },
  SCENARIO_WORD_gece: { en: 'night', tr: 'gece' },
  SCENARIO_WORD_mahsuplasma_related_tariff: { en: 'netting tariff', tr: 'mahsuplaşma tarifesi' },
  SCENARIO_WORD_mahsuplasma_lowest_related_tariff: {
    en: 'payment for surplus (lowest tariff)',
    tr: 'fazla bedeli (en düşük tarife)',
  },
  SCENARIO_WORD_sktt_active_energy: { en: 'energy price of SKTT', tr: 'SKTT enerji bedeli' },
  SCENARIO_WORD_customer_bill_active_energy: { en: 'energy price of the bill', tr: 'fatura enerji bedeli' },
  SCENARIO_WORD_system_usage: { en: 'system usage fee', tr: 'sistem kullanım bedeli' },
  SCENARIO_WORD_distribution: { en: 'distribution fee', tr: 'dağıtım bedeli' },
})

type Translate = (message: Message) => string
type Texts = Readonly<Record<string, (() => Message) | undefined>>

/** The name of a field of a change, or of a profile in it. */
export function changeFieldText(name: string, t: Translate): string {
  const text = (CHANGE_TEXTS as Texts)[`SCENARIO_FIELD_${name}`]
  return text ? t(text()) : fieldText(name, t)
}

/** The text of a type of change, or of a value of an enumeration of it; some fields have texts of their own. */
export function changeWord(value: string, t: Translate, field = ''): string {
  const texts: Texts = CHANGE_TEXTS
  const text = texts[`SCENARIO_WORD_${field}_${value}`] ?? texts[`SCENARIO_WORD_${value}`]
  return text ? t(text()) : valueText(value, t)
}
