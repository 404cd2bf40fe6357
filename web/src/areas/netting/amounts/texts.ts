import { messages } from '../../../../../src/kernel/messages.ts'

/** Texts about the amounts of a month. */
export const AMOUNTS_TEXTS = messages({
  AMOUNTS: { en: 'Amounts of {month} by type', tr: '{month} tutarları, türe göre' },
  AMOUNTS_NONE: { en: 'No amount in this month', tr: 'Bu ayda tutar yok' },
  AMOUNTS_NOTE: {
    en: 'Amounts are without taxes. Amounts of different types are never added.',
    tr: 'Tutarlar vergisizdir. Farklı türlerin tutarları toplanmaz.',
  },
  AMOUNTS_TYPE: { en: 'Type', tr: 'Tür' },
  AMOUNTS_COUNTS_AS: { en: 'Effect on the owner', tr: 'Sahibine etkisi' },
  AMOUNTS_REVENUE: { en: 'revenue', tr: 'gelir' },
  AMOUNTS_COST: { en: 'cost', tr: 'gider' },
  AMOUNTS_AVOIDED_COST: { en: 'avoided cost', tr: 'kaçınılan gider' },
  AMOUNTS_NOT_COUNTED: { en: 'for information', tr: 'bilgi amaçlı' },
  AMOUNTS_QUANTITY: { en: 'Quantity', tr: 'Miktar' },
  AMOUNTS_AMOUNT: { en: 'Amount', tr: 'Tutar' },
  AMOUNTS_GAPS: { en: 'Without price', tr: 'Fiyatsız' },
  AMOUNTS_ROWS: { en: 'Rows', tr: 'Satır' },
  AMOUNTS_SHOW: { en: 'Show', tr: 'Göster' },
  AMOUNTS_SHOW_OF: { en: 'Show the rows of: {type}', tr: 'Satırları göster: {type}' },
  AMOUNTS_ROWS_OF: { en: 'Rows: {type}', tr: 'Satırlar: {type}' },
  AMOUNTS_HOUR: { en: 'Hour', tr: 'Saat' },
  AMOUNTS_FACILITY: { en: 'Facility', tr: 'Tesis' },
  AMOUNTS_UNIT_PRICE: { en: 'Unit price', tr: 'Birim fiyat' },
})
