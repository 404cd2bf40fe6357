import { messages } from '../../../../../src/kernel/messages.ts'

/** Texts about the comparison of a file with the results. */
export const RECONCILE_TEXTS = messages({
  RECONCILE: { en: 'Reconcile an invoice', tr: 'Fatura mutabakatı' },
  RECONCILE_HELP: {
    en: 'Compares the figures of a supplier or of the market operator for {month} with the results. Nothing is stored.',
    tr: 'Tedarikçinin veya piyasa işletmecisinin {month} değerlerini sonuçlarla karşılaştırır. Hiçbir şey saklanmaz.',
  },
  RECONCILE_DROP: {
    en: 'Drop a CSV or XLSX file here, or',
    tr: 'CSV veya XLSX dosyasını buraya bırakın ya da',
  },
  RECONCILE_FILE: { en: 'Choose a file', tr: 'Dosya seçin' },
  RECONCILE_RUNNING: { en: 'Comparing {name}…', tr: '{name} karşılaştırılıyor…' },
  RECONCILE_RESULT: { en: 'Result of {name}', tr: '{name} sonucu' },
  RECONCILE_AGREES: { en: 'All {rows} rows agree.', tr: '{rows} satırın tümü uyuşuyor.' },
  RECONCILE_DIFFERS: {
    en: '{different} of {rows} rows differ.',
    tr: '{rows} satırdan {different} tanesi farklı.',
  },
  RECONCILE_TOTALS: { en: 'Sums of what was compared', tr: 'Karşılaştırılanların toplamları' },
  RECONCILE_FIGURE: { en: 'Figure', tr: 'Büyüklük' },
  RECONCILE_THEIRS: { en: 'File', tr: 'Dosya' },
  RECONCILE_OURS: { en: 'Results', tr: 'Sonuçlar' },
  RECONCILE_DIFFERENCE: { en: 'Difference', tr: 'Fark' },
  RECONCILE_DIFFERENT: { en: 'Different', tr: 'Farklı' },
  RECONCILE_ROWS: { en: 'Figures that differ: {count}', tr: 'Farklı değerler: {count}' },
  RECONCILE_NO_ROWS: { en: 'No figure differs', tr: 'Farklı değer yok' },
  RECONCILE_ROW: { en: 'Row', tr: 'Satır' },
  RECONCILE_TIME: { en: 'Time', tr: 'Zaman' },
  RECONCILE_BAD_ROWS: { en: 'Rows that could not be read: {count}', tr: 'Okunamayan satırlar: {count}' },
  RECONCILE_COLUMN: { en: 'Column', tr: 'Sütun' },
  RECONCILE_PROBLEM: { en: 'Problem', tr: 'Sorun' },
  RECONCILE_MISSING_THEIRS: { en: 'Missing in the file: {count}', tr: 'Dosyada eksik: {count}' },
  RECONCILE_MISSING_OURS: { en: 'Not calculated: {count}', tr: 'Hesaplanmamış: {count}' },
  RECONCILE_SETTINGS: {
    en: 'Tolerance {kwh} kWh and {try} TL; ignored columns: {columns}',
    tr: 'Tolerans {kwh} kWh ve {try} TL; yok sayılan sütunlar: {columns}',
  },
  RECONCILE_TRY_MATCHED: { en: 'Payment for matched consumption', tr: 'Mahsuplaşan tüketim tutarı' },
  RECONCILE_TRY_PAID: { en: 'Payment for paid surplus', tr: 'Bedelli fazla tutarı' },
  RECONCILE_TRY_SKB: { en: 'System usage fee', tr: 'Sistem kullanım bedeli' },
  RECONCILE_TRY_SKTT: { en: 'Last-resort tariff', tr: 'SKTT tutarı' },
  RECONCILE_TRY_MESKEN: { en: 'Residential amount', tr: 'Mesken tutarı' },
  RECONCILE_SURPLUS: { en: 'Surplus', tr: 'İhtiyaç fazlası' },
})
