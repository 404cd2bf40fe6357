import { messages } from '../../../kernel/messages.ts'

export const CALCULATION_TEXTS = messages({
  LATER_PERIODS_STALE: {
    en: 'group {group}: what follows from {period:period} rests on balances that have changed; run a correction',
    tr: '{group}: {period:period} ve sonrasının dayandığı bakiyeler değişti; düzeltme çalıştırın',
  },
  LATER_PERIODS_OF_OTHER_GROUP_STALE: {
    en: 'group {group}: what follows from {from:time} rests on balances that have changed; run a correction',
    tr: '{group}: {from:time} ve sonrasının dayandığı bakiyeler değişti; düzeltme çalıştırın',
  },
  FACTS_OF_OTHER_ROLES: {
    en: '{facility}: facts of {hours} {hours?hour:hours} were derived with other meter roles and were not used; rebuild them',
    tr: '{facility}: {hours} saatin verisi başka sayaç rolleriyle türetilmişti ve kullanılmadı; yeniden türetin',
  },
  CALCULATION_THREADS_BUSY: {
    en: 'too many calculations are waiting; repeat the request later',
    tr: 'çok fazla hesap sırada bekliyor; isteği daha sonra yineleyin',
  },
  GROUP_TOO_LARGE: {
    en: 'the calculation of the group needs more memory than one calculation may use',
    tr: 'grubun hesabı, bir hesabın kullanabileceğinden fazla bellek gerektiriyor',
  },
  MONTHLY_REFRESH_FAILED: {
    en: 'group {group}: the summary of {period:period} could not be made anew and is out of date',
    tr: '{group}: {period:period} döneminin aylık özeti yenilenemedi ve güncel değil',
  },
  CORRECTION_PERIOD_NOT_STARTED: {
    en: 'no hour of {period:period} is over yet',
    tr: '{period:period} döneminin henüz tamamlanmış saati yok',
  },
  CORRECTION_PERIOD_TOO_EARLY: {
    en: 'billing_period lies before {first_period:period}',
    tr: 'billing_period, {first_period:period} döneminden önce',
  },
})
