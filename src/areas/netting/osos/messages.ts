import { declareWords, messages } from '../../../kernel/messages.ts'

/** The errors of installations of grid operators. */
export const INSTALLATION_TEXTS = messages({
  INSTALLATION_NUMBER_TAKEN: {
    en: 'an installation with this number exists',
    tr: 'bu numarayla bir tesisat var',
  },
  ORGANIZATION_NOT_DISTRIBUTION_COMPANY: {
    en: 'distribution_company_id names an organization of type {org_type}',
    tr: 'distribution_company_id bir dağıtım şirketini göstermiyor; kuruluşun türü: {org_type}',
  },
  DECLARED_METER_FIELD_FIXED: {
    en: '{field} of a declared meter cannot be changed',
    tr: 'beyan edilen bir sayacın {field} alanı değiştirilemez',
  },
})

declareWords({ comma: 'virgülle', point: 'noktayla', nothing: 'yok' })

/** The outcomes of rows of hourly readings. */
export const READING_TEXTS = messages({
  READING_WITHOUT_VALUE: { en: 'has no value', tr: 'değer yok' },
  READING_TOO_LARGE: {
    en: 'is more than {max} kWh in one hour',
    tr: 'bir saatlik değer {max} kWh sınırını aşıyor',
  },
  READING_REPEATED: {
    en: 'another value of the same hour stands in row {first_row}',
    tr: '{first_row}. satırda aynı saat için başka bir değer var',
  },
  READING_NEGATIVE: {
    en: 'is negative ({value}): kept without a value',
    tr: 'negatif ({value}): değersiz olarak saklandı',
  },
  READING_REPLACED: {
    en: 'took the place of {import_kwh:word} | {export_kwh:word} kWh',
    tr: 'önceki değerin yerine geçti: {import_kwh:word} | {export_kwh:word} kWh',
  },
  READING_NEGATIVE_REPLACED: {
    en: 'is negative ({value}): kept without a value; took the place of {import_kwh:word} | {export_kwh:word} kWh',
    tr: 'negatif ({value}): değersiz olarak saklandı; önceki değerin yerine geçti: {import_kwh:word} | {export_kwh:word} kWh',
  },
  READING_HOUR_NOT_OVER: { en: 'the hour is not over yet', tr: 'saat henüz bitmedi' },
  READING_TOO_EARLY: { en: 'lies before {first}', tr: 'ilk fatura döneminden önce ({first:period})' },
  READING_INSTALLATION_DELETED: {
    en: 'the installation was deleted meanwhile',
    tr: 'tesisat bu sırada silindi',
  },
  READING_IMPORT_NOT_NUMBER: {
    en: 'the import is no number with a decimal {mark}',
    tr: 'çekiş, ondalığı {mark:word} ayrılmış bir sayı değil',
  },
  READING_EXPORT_NOT_NUMBER: {
    en: 'the export is no number with a decimal {mark}',
    tr: 'veriş, ondalığı {mark:word} ayrılmış bir sayı değil',
  },
  READING_NO_DECIMAL: {
    en: '{field} is no decimal with at most 12 digits before the point and {decimals} after it',
    tr: '{field} noktadan önce en çok 12, sonra en çok {decimals} basamaklı bir sayı değil',
  },
  READING_OF_ANOTHER_INSTALLATION: {
    en: 'is of installation {installation_no}',
    tr: 'başka bir tesisatın: {installation_no}',
  },
  READING_WITHOUT_INSTALLATION: { en: 'has no installation number', tr: 'tesisat numarası yok' },
  READING_INSTALLATION_UNKNOWN: {
    en: 'there is no installation {installation_no}',
    tr: 'bu numarada bir tesisat yok: {installation_no}',
  },
})
