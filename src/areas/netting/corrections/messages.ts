import { messages } from '../../../kernel/messages.ts'

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
