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
  MONTHLY_REFRESH_FAILED: {
    en: 'group {group}: the summary of {period:period} could not be made anew and is out of date',
    tr: '{group}: {period:period} döneminin aylık özeti yenilenemedi ve güncel değil',
  },
})
