import { messages } from '../../../../../src/kernel/messages.ts'

/** Texts about runs and their comparison. */
export const RUNS_TEXTS = messages({
  RUNS: { en: 'Runs of {month}', tr: '{month} hesaplamaları' },
  RUNS_NONE: { en: 'This month has not been calculated yet', tr: 'Bu ay henüz hesaplanmadı' },
  RUNS_STARTED: { en: 'Started', tr: 'Başlangıç' },
  RUNS_HOURS: { en: 'Hours', tr: 'Saatler' },
  RUNS_TRIGGER: { en: 'Trigger', tr: 'Tetikleyen' },
  RUNS_SCENARIO: { en: 'Rules', tr: 'Yöntem' },
  RUNS_STATUS: { en: 'Status', tr: 'Durum' },
  RUNS_CURRENT: { en: 'current', tr: 'geçerli' },
  RUNS_SUPERSEDED: { en: 'superseded', tr: 'yerine yenisi geçti' },
  RUNS_STALE: { en: 'outdated: {hours} {hours?hour:hours}', tr: 'güncel değil: {hours} saat' },
  RUNS_HASH: { en: 'Hash of the inputs', tr: 'Girdi özeti' },
  RUNS_COMPARE: { en: 'Compare two runs', tr: 'İki hesaplamayı karşılaştır' },
  RUNS_FIRST: { en: 'First run', tr: 'Birinci hesaplama' },
  RUNS_SECOND: { en: 'Second run', tr: 'İkinci hesaplama' },
  RUNS_DIFFERENCES: { en: 'What the runs differ in', tr: 'Hesaplamaların farkları' },
  RUNS_QUANTITY: { en: 'Quantity', tr: 'Büyüklük' },
  RUNS_DIFFERENCE: { en: 'Difference', tr: 'Fark' },
  RUNS_SAME: {
    en: 'The runs have the same figures in every common hour.',
    tr: 'Ortak saatlerde değerler aynı.',
  },
  RUNS_HOURS_DIFFER: {
    en: '{count} {count?hour differs:hours differ}',
    tr: '{count} saat farklı',
  },
  RUNS_HOUR: { en: 'Hour', tr: 'Saat' },
})
