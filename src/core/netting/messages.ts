import { messages } from '../../kernel/messages.ts'

/** The texts of the warnings of a calculation. */
export const WARNING_TEXTS = messages({
  FACILITY_WITHOUT_NAME: { en: 'facility {facility_id}', tr: '{facility_id} kimlikli tesis' },
  GROUP_BLOCKED_BEDELSIZ: {
    en: '{group} in {period:month} is blocked: its whole production counts as free',
    tr: '{group}, {period:month}: grup engellenmiş durumda; üretiminin tamamı bedelsiz sayıldı',
  },
  STORAGE_EXPORT_FREE: {
    en: 'the discharge of the storage of {facility} of {group} in {period:month} is unknown in some hours: its whole export counts as free',
    tr: '{group}, {period:month}, {facility}: bazı saatlerde depolamanın deşarjı bilinmiyor; bu saatlerdeki verişin tamamı bedelsiz sayıldı',
  },
  STORAGE_EXPORT_AS_PRODUCTION: {
    en: 'the discharge of the storage of {facility} of {group} in {period:month} is unknown in some hours: its export counts as production',
    tr: '{group}, {period:month}, {facility}: bazı saatlerde depolamanın deşarjı bilinmiyor; bu saatlerdeki veriş üretim sayıldı',
  },
  HOURLY_NETTING_NOT_IN_FORCE: {
    en: '{group} in {period:month}: hourly netting is in force since {since:date}; the month was calculated by the hour all the same',
    tr: '{group}, {period:month}: saatlik mahsuplaşma {since:date} tarihinde yürürlüğe girdi; dönem yine de saatlik hesaplandı',
  },
  LIMIT_ACCOUNT_MISSING_CONSERVATIVE_SKB: {
    en: '{group} in {period:month}: no limit account for {facilities}; their surplus owes the system usage fee',
    tr: '{group}, {period:month}: limit hesabı olmayan tesisler: {facilities}; ihtiyaç fazlaları için sistem kullanım bedeli ödenir',
  },
  TARIFF_MESKEN_UNRESOLVED: {
    en: 'no bill price for {facility} of {group} in {period:month}: no estimated savings',
    tr: '{group}, {period:month}, {facility}: mesken fatura fiyatı bulunamadı; tahmini tasarruf hesaplanmadı',
  },
  TARIFF_BILL_PRICE_UNRESOLVED: {
    en: 'no bill price for {facility} of {group} in {period:month}: no estimated savings',
    tr: '{group}, {period:month}, {facility}: fatura fiyatı bulunamadı; tahmini tasarruf hesaplanmadı',
  },
  TARIFF_LOWEST_RELATED_FALLBACK: {
    en: 'no lowest related tariff for {group} in {period:month}: the lowest related tariff row was used',
    tr: '{group}, {period:month}: gruptaki en düşük ilgili tarife tanımlı değil; ilgili tarifelerin en düşüğü kullanıldı',
  },
  TARIFF_NONE_RESOLVED: {
    en: 'no related tariff for {group} in {period:month}: surplus has no price',
    tr: '{group}, {period:month}: ilgili tarife bulunamadı; ihtiyaç fazlası fiyatlandırılamadı',
  },
  TARIFF_MESKEN_STEP_FALLBACK_FLAT: {
    en: 'no step price for {facility} of {group} in {period:month}: the flat price was used',
    tr: '{group}, {period:month}, {facility}: kademe fiyatı bulunamadı; kademesiz fiyat kullanıldı',
  },
  TARIFF_STEP_STATE_MISSING_CONSERVATIVE: {
    en: 'the month to date of {facility} of {group} in {period:month} has a gap: the high step was used',
    tr: '{group}, {period:month}, {facility}: ayın o ana kadarki tüketiminde eksik veri var; yüksek kademe kullanıldı',
  },
  TARIFF_VOLTAGE_FALLBACK_AG: {
    en: 'no {voltage_level} price for {facility} of {group} in {period:month}: the low-voltage (AG) price was used',
    tr: '{group}, {period:month}, {facility}: {voltage_level} fiyatı bulunamadı; AG fiyatı kullanıldı',
  },
  TARIFF_MULTI_TIME_FALLBACK_TEK: {
    en: 'no multi-time price for {facility} of {group} in {period:month}: the single-time price was used',
    tr: '{group}, {period:month}, {facility}: çok zamanlı fiyat bulunamadı; tek zamanlı fiyat kullanıldı',
  },
  FACILITY_VOLTAGE_UNKNOWN: {
    en: 'the voltage level of {facility} of {group} in {period:month} is not known: the low-voltage (AG) price was used',
    tr: '{group}, {period:month}, {facility}: gerilim seviyesi bilinmiyor; AG fiyatı kullanıldı',
  },
  FACILITY_ABONE_GRUBU_UNKNOWN: {
    en: 'the subscriber group of {facility} of {group} in {period:month} is not known: no supplier payment',
    tr: '{group}, {period:month}, {facility}: abone grubu bilinmiyor; tedarikçi ödemesi hesaplanmadı',
  },
  SUPPLIER_PRICE_UNRESOLVED: {
    en: 'no related tariff ({abone_grubu}) for {facility} of {group} in {period:month}: no supplier payment',
    tr: '{group}, {period:month}, {facility}: ilgili tarife ({abone_grubu}) bulunamadı; tedarikçi ödemesi hesaplanmadı',
  },
  SKTT_PRICE_UNRESOLVED: {
    en: 'no last-resort price for {facility} of {group} in {period:month}: no row',
    tr: '{group}, {period:month}, {facility}: son kaynak tedarik tarifesi (SKTT) fiyatı bulunamadı; satır oluşturulmadı',
  },
  MESKEN_MONTHLY_PRICE_UNRESOLVED: {
    en: 'no residential tariff for {facility} of {group} in {period:month}: quantity only',
    tr: '{group}, {period:month}, {facility}: mesken tarifesi bulunamadı; satırda yalnızca miktar var',
  },
  SKB_LU_GROUP_MIXED: {
    en: 'producers of {group} in {period:month} are of both classes: their price is weighted by production',
    tr: '{group}, {period:month}: üreticiler iki ayrı lisanssız üretici sınıfından; fiyat üretimle ağırlıklandırıldı',
  },
  SKB_PRICE_UNRESOLVED_QUANTITY_ONLY: {
    en: 'no system usage price for {group} in {period:month}: quantity only',
    tr: '{group}, {period:month}: sistem kullanım bedeli fiyatı bulunamadı; satırda yalnızca miktar var',
  },
  SKB_LU_GROUP_DERIVED: {
    en: '{facility} of {group} in {period:month} names no tariff class: taken as {lu_class}',
    tr: '{group}, {period:month}, {facility}: lisanssız üretici sınıfı tanımlı değil; kaynak türüne göre {lu_class} alındı',
  },
  SKB_LU_GROUP_UNKNOWN_DEFAULT: {
    en: '{facility} of {group} in {period:month} names no tariff class: taken as {lu_class}',
    tr: '{group}, {period:month}, {facility}: lisanssız üretici sınıfı bilinmiyor; {lu_class} varsayıldı',
  },
  MEMBER_PRODUCTION_MISSING: {
    en: '{facility} of {group} in {period:month}: the production of {hours} of {of_hours} hours is unknown and counts as 0',
    tr: '{group}, {period:month}, {facility}: {of_hours} saatin {hours} saatinde üretim bilinmiyor ve 0 sayıldı',
  },
  MEMBER_CONSUMPTION_MISSING: {
    en: '{facility} of {group} in {period:month}: the consumption of {hours} of {of_hours} hours is unknown and counts as 0',
    tr: '{group}, {period:month}, {facility}: {of_hours} saatin {hours} saatinde tüketim bilinmiyor ve 0 sayıldı',
  },
  HOURS_WITHOUT_MEMBERS: {
    en: '{group} in {period:month}: the group has no member in {hours} of {of_hours} hours; they are not calculated',
    tr: '{group}, {period:month}: {of_hours} saatin {hours} saatinde grubun üyesi yok; bu saatler hesaplanmadı',
  },
})

/** The refusals of ranges and transfers. */
export const RULE_TEXTS = messages({
  RANGE_IS_EMPTY: {
    en: 'from_hour must lie before to_hour',
    tr: 'from_hour, to_hour değerinden önce olmalıdır',
  },
  RANGE_TOO_EARLY: {
    en: 'from_hour lies before {first}, the first month there is',
    tr: 'from_hour ilk dönemden önce ({first:period})',
  },
  RANGE_TOO_LONG: {
    en: 'the range may cover at most {days} days',
    tr: 'aralık en çok {days} gün olabilir',
  },
  TRANSFER_TO_ITSELF: {
    en: 'source and target are the same account',
    tr: 'kaynak ile hedef aynı hesap',
  },
  LIMIT_BALANCE_TOO_LOW: {
    en: '{remaining_kwh} kWh remain, {amount_kwh} kWh asked',
    tr: 'kalan limit {remaining_kwh:number} kWh, istenen {amount_kwh:number} kWh',
  },
})
