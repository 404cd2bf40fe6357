import { messages } from '../../../kernel/messages.ts'

export const TARIFF_TEXTS = messages({
  TARIFF_NAME_APPROVED: {
    en: 'the price set {name} of {set_period:month} is approved already',
    tr: '{set_period:month}, {name}: fiyat seti zaten onaylı',
  },
  TARIFF_PRICE_PERIOD_MISMATCH: {
    en: 'the price belongs to {price_period:month}, but the price set to {set_period:month}',
    tr: 'fiyatın dönemi {price_period:month}, fiyat setinin dönemi {set_period:month}',
  },
  TARIFF_IMPORT_PERIOD_MISMATCH: {
    en: 'the price set belongs to {set_period:month}, but {rows} {rows?row:rows} of the file to another month',
    tr: 'fiyat setinin dönemi {set_period:month}; dosyada başka döneme ait satır sayısı: {rows}',
  },
})
