import { messages } from '../../../kernel/messages.ts'

/** The errors of a row or of a file of an import of history. Their codes are part of the report. */
export const HISTORY_TEXTS = messages({
  HISTORY_SHEET_UNKNOWN: {
    en: 'the sheet or file {sheet} is none of {sheets}',
    tr: '{sheet} adlı sayfa veya dosya bilinmiyor; bilinenler: {sheets}',
  },
  HISTORY_SHEET_REPEATED: {
    en: '{sheet} is contained twice',
    tr: '{sheet} iki kez bulunuyor',
  },
  HISTORY_HEADER_UNKNOWN: {
    en: 'the header {header} is none of {headers}',
    tr: '{header} başlığı bilinmiyor; bilinenler: {headers}',
  },
  HISTORY_HEADER_REPEATED: {
    en: 'the header {header} is contained twice',
    tr: '{header} başlığı iki kez bulunuyor',
  },
  HISTORY_HEADER_MISSING: {
    en: 'the header {header} is missing',
    tr: '{header} başlığı eksik',
  },
  HISTORY_CELL_WITHOUT_HEADER: {
    en: 'the cell has a value but no header',
    tr: 'hücrede değer var, başlık yok',
  },
  HISTORY_CELL_MISSING: {
    en: '{column} is missing',
    tr: '{column} boş bırakılamaz',
  },
  HISTORY_CELL_FORMULA: {
    en: '{column} begins with a character that a spreadsheet takes for a formula (= + - @)',
    tr: '{column}, hesap tablosunun formül saydığı bir karakterle başlıyor (= + - @)',
  },
  HISTORY_CELL_NOT_TEXT: {
    en: '{column} must be text',
    tr: '{column} metin olmalıdır',
  },
  HISTORY_CELL_NOT_NUMBER: {
    en: '{column} must be a number with at most six decimals, such as 1234.5 or 1.234,5',
    tr: '{column} en çok altı ondalıklı bir sayı olmalıdır, örneğin 1.234,5',
  },
  HISTORY_CELL_NOT_DATE: {
    en: '{column} must be a date, such as 2026-05-01 or 01.05.2026',
    tr: '{column} tarih olmalıdır, örneğin 01.05.2026',
  },
  HISTORY_CELL_NOT_TIME: {
    en: '{column} must be a date with or without a time of day, such as 01.05.2026 or 01.05.2026 14:30',
    tr: '{column} tarih veya tarih ve saat olmalıdır, örneğin 01.05.2026 veya 01.05.2026 14:30',
  },
  HISTORY_CELL_NOT_YEAR: {
    en: '{column} must be a year, such as 2026',
    tr: '{column} yıl olmalıdır, örneğin 2026',
  },
  HISTORY_CELL_NOT_YES_OR_NO: {
    en: '{column} must be yes or no',
    tr: '{column} evet veya hayır olmalıdır',
  },
  HISTORY_CELL_NOT_CHOICE: {
    en: '{column} must be one of {words}',
    tr: '{column} şunlardan biri olmalıdır: {words}',
  },
  HISTORY_CELL_INVALID: {
    en: '{column} {reason}',
    tr: '{column} {reason}',
  },
  HISTORY_ROW_REPEATED: {
    en: 'the row repeats the record of row {row}',
    tr: 'satır, {row}. satırdaki kaydı yineliyor',
  },
  HISTORY_REFERENCE_UNKNOWN: {
    en: '{column}: there is no record {name}, neither in the files nor in the service',
    tr: '{column}: {name} adlı kayıt ne dosyalarda ne de serviste var',
  },
  HISTORY_REFERENCE_AMBIGUOUS: {
    en: '{column}: several records are named {name}',
    tr: '{column}: {name} adlı birden çok kayıt var',
  },
  HISTORY_METER_NOT_READ: {
    en: 'no device and no installation with this register reads the meter {meter_no} at the time of the change',
    tr: '{meter_no}: değişim anında sayacı bu endeksle okuyan cihaz veya tesisat yok',
  },
  HISTORY_RECORD_DIFFERS: {
    en: 'the record exists with another {column}: stored {stored}, in the file {sent}',
    tr: 'kayıt başka bir değerle var, {column}: kayıtlı {stored}, dosyada {sent}',
  },
})

export const HISTORY_CALCULATION_TEXTS = messages({
  HISTORY_EARLIER_MONTH_FAILED: {
    en: 'an earlier month of the group could not be calculated',
    tr: 'grubun daha önceki bir ayı hesaplanamadı',
  },
  HISTORY_MONTH_FAILED: {
    en: 'an internal error; see the log',
    tr: 'bir iç hata; ayrıntısı hizmetin günlüğünde',
  },
  HISTORY_NO_MONTHS: {
    en: 'no active group has a member in the months from {from:month} to {to:month}',
    tr: '{from:month} ile {to:month} arasındaki aylarda üyesi olan etkin grup yok',
  },
  HISTORY_RANGE_INVALID: {
    en: 'the months from {from:month} to {to:month} are no range of at most {months} past or current months',
    tr: '{from:month} - {to:month} aralığı, geçmiş veya içinde bulunulan en çok {months} aylık bir aralık değil',
  },
  HISTORY_TOO_MANY_STEPS: {
    en: '{steps} months of groups are more than {max}: choose a shorter range',
    tr: '{steps} grup ayı, {max} sınırını aşıyor: daha kısa bir aralık seçin',
  },
  HISTORY_CALCULATIONS_OPEN: {
    en: '{count} calculations are not finished: wait for one of them',
    tr: '{count} hesaplama henüz bitmedi: birinin bitmesini bekleyin',
  },
  HISTORY_TOO_MANY_ROWS: {
    en: 'the files have more than {max} rows',
    tr: 'dosyalarda {max} satırdan fazla var',
  },
})
