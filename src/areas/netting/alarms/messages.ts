import { messages } from '../../../kernel/messages.ts'

/** The texts of netting alarms, and the reasons for which the service closes them. */
export const ALARM_TEXTS = messages({
  NETTING_ALARM: { en: '{subject}: {text}', tr: '{subject}: {text}' },

  ALARM_FACTS_MISSING: {
    en: 'of {hours} of the last 24 hours there is no value',
    tr: 'son 24 saatin {hours} saatinde değer yok',
  },
  ALARM_FACTS_PARTIAL: {
    en: '{hours} hours of the two days before the last are covered in part',
    tr: 'son günden önceki iki günün {hours} saatinde veri eksik',
  },
  ALARM_METER_RESET_SUSPECT: {
    en: 'a register fell in the hour of {hour:time}; was the meter replaced?',
    tr: '{hour:time} saatinde sayaç endeksi geriledi; sayaç değiştirildi mi?',
  },
  ALARM_INTERVAL_CHANNEL_UNSUPPORTED: {
    en: 'no hourly energy comes from {metrics}: it counts each interval by itself',
    tr: 'saatlik enerji üretilemeyen ölçümler: {metrics}; bunlar her aralığı ayrı sayıyor',
  },
  ALARM_HOURLY_BUILD_FAILED: {
    en: 'the readings of {assignments} meter assignments could not be used',
    tr: '{assignments} sayaç atamasının okumaları kullanılamadı',
  },
  ALARM_TARIFF_MISSING: {
    en: 'prices of {period:period} are missing ({codes})',
    tr: '{period:period} döneminin fiyatları eksik ({codes})',
  },
  ALARM_BEDELSIZ_RISK: {
    en: 'in {period:period} {free_kwh:number} of {production_kwh:number} kWh produced earn nothing',
    tr: '{period:period} döneminde üretilen {production_kwh:number} kWh enerjinin {free_kwh:number} kWh kadarı bedelsiz',
  },
  ALARM_PERIOD_FACTS_MISSING: {
    en: '{period:period} is over and inputs of {missing} of its {hours} hours are missing',
    tr: '{period:period} dönemi bitti; {hours} saatinin {missing} saatinde girdi eksik',
  },
  ALARM_LIMIT_ACCOUNT_MISSING: {
    en: 'there is no limit account for {year}: surplus counts as over the limit',
    tr: '{year} yılı limit hesabı yok: ihtiyaç fazlası limit üstü sayılıyor',
  },
  ALARM_LIMIT_EXHAUSTED: {
    en: 'nothing is left of the limit for {year}: surplus counts as over the limit',
    tr: '{year} yılı limiti tükendi: ihtiyaç fazlası limit üstü sayılıyor',
  },
  ALARM_LIMIT_LOW: {
    en: '{remaining_kwh:number} kWh, less than {pct} %, are left of the limit for {year}',
    tr: '{year} yılı limitinden {remaining_kwh:number} kWh kaldı (%{pct} altı)',
  },
  ALARM_CORRECTION_STOPPED: {
    en: 'the correction stopped at {period:period}; a correction of {period:period} brings it to its end',
    tr: 'düzeltme {period:period} döneminde durdu; aynı dönem için yapılacak düzeltme onu tamamlar',
  },
  ALARM_RESULTS_STALE: {
    en: 'the input of {hours} hours of closed months has changed since their calculation, first in {period:period}; a correction of {period:period} includes it',
    tr: 'kapanmış ayların {hours} saatinin girdisi hesaplamadan sonra değişti; ilki {period:period}; bu dönem için düzeltme çalıştırın',
  },
  ALARM_OBJECTION_DUE: {
    en: '{lines} lines of the invoice {invoice} differ by {claim_try:number} TL; the last day of an objection is {due:date}',
    tr: '{invoice} faturasının {lines} satırı {claim_try:number} TL farklı; itirazın son günü {due:date}',
  },
  ALARM_GROUP_BLOCKED: {
    en: 'the group is blocked by {rules}: all its surplus counts as free',
    tr: 'grup engellendi (kurallar: {rules}): ihtiyaç fazlasının tamamı bedelsiz sayılıyor',
  },
  ALARM_FAILURE: {
    en: '{what} failed; the log of the service says why',
    tr: '{what} başarısız oldu; nedeni servisin günlüğünde',
  },
  FAILURE_OF_MONTHLY_CLOSE: {
    en: 'the monthly close of {period:period}',
    tr: '{period:period} döneminin ay kapanışı',
  },
  FAILURE_OF_MEMBERSHIP_CORRECTION: {
    en: 'the correction after a change of a membership',
    tr: 'üyelik değişikliğinin gerektirdiği düzeltme',
  },
  FAILURE_OF_CALCULATION: {
    en: 'the calculation of {period:period}',
    tr: '{period:period} döneminin hesaplaması',
  },
  FAILURE_OF_BUILD: {
    en: 'the build',
    tr: 'saatlik enerji verisinin oluşturulması',
  },

  END_METERS_SEND_AGAIN: { en: 'the meters send data again', tr: 'sayaçlar yeniden veri gönderiyor' },
  END_HOURS_COVERED: { en: 'the hours are covered', tr: 'saatlerin verisi tamamlandı' },
  END_NO_SUSPECT_HOUR: {
    en: 'no hour of the last three days is suspect',
    tr: 'son üç günün hiçbir saati şüpheli değil',
  },
  END_CHANNEL_NOT_READ: { en: 'no such channel is read any more', tr: 'böyle bir kanal artık okunmuyor' },
  END_FACTS_BUILT: { en: 'the facts were built', tr: 'saatlik veriler oluşturuldu' },
  END_PERIOD_CALCULATED: { en: '{period:period} was calculated', tr: '{period:period} dönemi hesaplandı' },
  END_PRICES_COMPLETE: {
    en: 'every amount of {period:period} has a price',
    tr: '{period:period} döneminin bütün tutarlarının fiyatı var',
  },
  END_BEDELSIZ_SHARE_SMALL: {
    en: 'at most {pct} % of {period:period} is free',
    tr: '{period:period} döneminin en çok %{pct} kadarı bedelsiz',
  },
  END_PERIOD_INPUTS_COMPLETE: {
    en: 'no input of {period:period} is missing any more',
    tr: '{period:period} döneminde artık eksik girdi yok',
  },
  END_ACCOUNT_NOT_MISSING: {
    en: 'an account exists or none is needed',
    tr: 'limit hesabı var ya da gerekmiyor',
  },
  END_NO_LIMIT: { en: 'no limit applies', tr: 'limit uygulanmıyor' },
  END_NOTHING_LEFT: { en: 'nothing is left', tr: 'limit tükendi' },
  END_LIMIT_LEFT: { en: '{remaining_kwh:number} kWh are left', tr: '{remaining_kwh:number} kWh kaldı' },
  END_NO_STOPPED_CORRECTION: { en: 'no correction stands still', tr: 'durmuş düzeltme yok' },
  END_RULE_STATUS: {
    en: 'the rule now has the status {status}: {message}',
    tr: 'kuralın durumu artık {status:word}: {message}',
  },
  END_GROUP_STATUS: { en: 'the group is {status}', tr: 'grubun durumu: {status:word}' },
  END_APPROVED_PRICES: { en: 'approved prices exist', tr: 'onaylı fiyatlar var' },
  END_MONTH_CLOSED: { en: '{period:period} was closed', tr: '{period:period} dönemi kapatıldı' },
  END_CLOSED_MONTHS_CURRENT: {
    en: 'every closed month agrees with its input',
    tr: 'kapanmış ayların hepsi girdisiyle uyumlu',
  },
  END_OBJECTION_SENT: { en: 'the objection was sent', tr: 'itiraz gönderildi' },
  END_OBJECTION_NOT_NEEDED: { en: 'no line differs any more', tr: 'artık farklı satır yok' },
  END_OBJECTION_TERM_OVER: {
    en: 'the last day of the objection is over',
    tr: 'itirazın son günü geçti',
  },
  END_OBJECTION_NOT_YET: {
    en: 'the last day of the objection was moved',
    tr: 'itirazın son günü değişti',
  },
  END_OBJECTION_DELETED: { en: 'the check was deleted', tr: 'kontrol silindi' },
  END_FACILITY_DELETED: { en: 'the facility was deleted', tr: 'tesis silindi' },
  END_GROUP_INACTIVE: { en: 'the group is inactive', tr: 'grup pasif' },
})
