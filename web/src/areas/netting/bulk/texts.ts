import { messages } from '../../../../../src/kernel/messages.ts'

/** Texts about calculations and corrections that run in the background. */
export const BULK_TEXTS = messages({
  BULK_CALCULATE: { en: 'Calculate', tr: 'Hesapla' },
  BULK_CORRECT: { en: 'Correct', tr: 'Düzelt' },
  BULK_GROUPS: { en: '{count} {count?group:groups}', tr: '{count} grup' },
  BULK_REASON: { en: 'Reason of the correction', tr: 'Düzeltmenin gerekçesi' },
  BULK_REASON_HELP: {
    en: '5 to 2000 characters; stored with the correction and its limit movements.',
    tr: '5–2000 karakter; düzeltmeyle ve limit hareketleriyle birlikte saklanır.',
  },
  BULK_CORRECT_HELP: {
    en: 'A correction calculates {month} and every later calculated month again. Old results are kept.',
    tr: 'Düzeltme {month} dönemini ve sonraki hesaplanmış ayları yeniden hesaplar. Eski sonuçlar silinmez.',
  },
  BULK_CALCULATE_HELP: {
    en: 'A calculation computes {month} up to the present hour; with unchanged input it changes nothing.',
    tr: 'Hesaplama {month} dönemini şimdiki saate kadar hesaplar; girdi aynıysa hiçbir şey değişmez.',
  },
  BULK_ACTIONS: { en: 'Calculate and correct', tr: 'Hesapla ve düzelt' },
  BULK_CALCULATION_OF: { en: 'Calculation of {month}', tr: '{month} hesaplaması' },
  BULK_CORRECTION_OF: { en: 'Correction from {month}', tr: '{month} düzeltmesi' },
  BULK_PROGRESS: { en: '{done} of {total} groups', tr: '{total} gruptan {done} tamamlandı' },
  BULK_LEAVE: {
    en: 'You can leave this page: the work continues, and its progress is shown here again.',
    tr: 'Bu sayfadan ayrılabilirsiniz: iş sürer, ilerleme burada yeniden gösterilir.',
  },
  BULK_RUNNING: { en: 'running', tr: 'sürüyor' },
  BULK_FINISHED: { en: 'finished', tr: 'bitti' },
  BULK_RESULTS: { en: 'Results by group', tr: 'Gruplara göre sonuçlar' },
  BULK_GROUP: { en: 'Group', tr: 'Grup' },
  BULK_RESULT: { en: 'Result', tr: 'Sonuç' },
  BULK_MESSAGE: { en: 'Messages', tr: 'İletiler' },
  BULK_WAITING: { en: 'Waiting', tr: 'Bekliyor' },
  BULK_COMPLETED: { en: '{count} new {count?run:runs}', tr: '{count} yeni hesaplama' },
  BULK_UNCHANGED: { en: 'Unchanged', tr: 'Değişiklik yok' },
  BULK_INCOMPLETE: { en: 'Stopped midway', tr: 'Yarıda durdu' },
  BULK_REFUSED: { en: 'Refused', tr: 'Reddedildi' },
  BULK_FAILED: { en: 'Failed', tr: 'Başarısız' },
})
