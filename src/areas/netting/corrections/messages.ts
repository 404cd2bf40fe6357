import { declareWords, messages } from '../../../kernel/messages.ts'

declareWords({
  BALANCE_CHANGED: 'bakiye değişti',
  ELIGIBILITY_CHANGED: 'uygunluk değişti',
  ENERGY_CHANGED: 'enerji değişti',
  FACILITY_CHANGED: 'tesis değişti',
  LIMIT_CHANGED: 'limit değişti',
  MEMBERS_CHANGED: 'üyelikler değişti',
  METERS_CHANGED: 'sayaçlar değişti',
  OFFICIAL_ENERGY_CHANGED: 'resmî endeksler değişti',
  PRICES_CHANGED: 'fiyatlar değişti',
  SETTINGS_CHANGED: 'ayarlar değişti',
})

/** The reasons of corrections that the service starts. */
export const CORRECTION_REASONS = messages({
  AUTOMATIC_CORRECTION: {
    en: 'automatic correction: {reasons}',
    tr: 'otomatik düzeltme: {reasons:word}',
  },
  MEMBERSHIP_WAS_CHANGED: {
    en: 'membership {membership} was changed from {day} on',
    tr: '{membership} üyeliği {day:date} gününden itibaren değiştirildi',
  },
  MEMBERSHIP_WAS_DELETED: {
    en: 'membership {membership} was deleted from {day} on',
    tr: '{membership} üyeliği {day:date} gününden itibaren silindi',
  },
})

export const CORRECTION_TEXTS = messages({
  DUY_133_5_PERIOD_TOO_OLD: {
    en: '{period:period} lies more than 12 months back; it was corrected, but may no longer be settled',
    tr: '{period:period} dönemi 12 aydan eski; düzeltildi, ancak geriye dönük uzlaştırmaya artık konu olmayabilir',
  },
  CASCADE_STOPPED: {
    en: 'the correction stopped at {period:period}: {reason}; the same request goes on from there',
    tr: 'düzeltme {period:period} döneminde durdu: {reason}; aynı istek kaldığı yerden devam eder',
  },
  CASCADE_STOPPED_WITHOUT_REASON: { en: 'it could not be calculated', tr: 'dönem hesaplanamadı' },
  MEMBER_CHANGE_CORRECTION_FAILED: {
    en: 'the membership was changed, but the correction that follows from it failed; run a correction of {period:period}',
    tr: 'üyelik değiştirildi, ancak bunun gerektirdiği düzeltme başarısız oldu; {period:period} dönemi için düzeltme çalıştırın',
  },
  MEMBER_CHANGE_CORRECTION_REFUSED: {
    en: 'the membership was changed, but the correction that follows from it failed ({reason}); run a correction of {period:period}',
    tr: 'üyelik değiştirildi, ancak bunun gerektirdiği düzeltme başarısız oldu ({reason}); {period:period} dönemi için düzeltme çalıştırın',
  },
  CASCADE_SKIPPED_UNCALCULATED_PERIOD: {
    en: '{period:period} was never calculated, so the correction skipped it; its usage is missing in the balances of later periods',
    tr: '{period:period} dönemi hiç hesaplanmadığı için düzeltme bu dönemi atladı; kullanımı sonraki dönemlerin bakiyelerinde eksik',
  },
})
