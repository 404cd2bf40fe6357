import { messages } from '../../../kernel/messages.ts'

export const TARIFF_TEXTS = messages({
  PRICE_SET_NOT_FOUND: { en: 'price set not found', tr: 'fiyat seti bulunamadı' },
  PRICE_SET_IMMUTABLE: {
    en: 'an approved or archived price set cannot be changed',
    tr: 'onaylanmış veya arşivlenmiş bir fiyat seti değiştirilemez',
  },
  PRICE_SET_TRANSITION: {
    en: 'a price set cannot go from {from} to {to} this way',
    tr: 'fiyat setinin durumu bu yolla değiştirilemez: {from} → {to}',
  },
  PRICE_SET_APPROVED_ALREADY: {
    en: 'the price set has been approved already',
    tr: 'fiyat seti zaten onaylanmış',
  },
  PRICE_SET_NOT_DRAFT: { en: 'only a draft can be deleted', tr: 'yalnızca taslak silinebilir' },
  PRICE_EXISTS: {
    en: 'the set already has a price for this abone_grubu, price_purpose, time_segment and step_no',
    tr: 'sette bu abone_grubu, price_purpose, time_segment ve step_no için zaten bir fiyat var',
  },
  IMPORT_FILE_TOO_LARGE: {
    en: 'the file is larger than {mib} MiB',
    tr: 'dosya {mib} MiB sınırından büyük',
  },
  IMPORT_TOO_MANY_ROWS: {
    en: 'the file has more than {max} rows',
    tr: 'dosyadaki satır sayısı {max} sınırını aşıyor',
  },
  IMPORT_OLD_XLS: {
    en: 'the old .xls format is not supported: save the file as .xlsx or CSV',
    tr: 'eski .xls biçimi desteklenmiyor: dosyayı .xlsx veya CSV olarak kaydedin',
  },
  IMPORT_EXTENSION_UNKNOWN: {
    en: 'the name of the file must end in .csv or .xlsx',
    tr: 'dosya adı .csv veya .xlsx ile bitmelidir',
  },
  IMPORT_CONTENT_TYPE_WRONG: {
    en: 'the content type of the file is not that of a .{extension} file',
    tr: 'dosyanın içerik türü .{extension} dosyasına uymuyor',
  },
  IMPORT_CSV_IS_WORKBOOK: {
    en: 'the file is no CSV: a workbook ends in .xlsx',
    tr: 'dosya CSV değil: çalışma kitabının adı .xlsx ile biter',
  },
  IMPORT_HEADERS_MISSING: {
    en: 'the first row lacks the headers {headers}',
    tr: 'ilk satırda eksik olan başlıklar: {headers}',
  },
  IMPORT_NO_WORKBOOK: { en: 'the file is no XLSX workbook', tr: 'dosya bir XLSX çalışma kitabı değil' },
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

/** What the cell of a column must contain. */
export const TARIFF_CELLS = messages({
  TARIFF_CELL_DATE: {
    en: 'must be a date, such as 2026-07-01 or 01.07.2026',
    tr: '2026-07-01 ya da 01.07.2026 gibi bir tarih olmalı',
  },
  TARIFF_CELL_MONTH: {
    en: 'must be a month, such as 2026-07-01, 2026-07 or 01.07.2026',
    tr: '2026-07-01, 2026-07 ya da 01.07.2026 gibi bir ay olmalı',
  },
  TARIFF_CELL_PRICE: {
    en: 'must be a number above 0 with at most 6 decimals, such as 2.985253 or 2,985253',
    tr: "2.985253 ya da 2,985253 gibi, 0'dan büyük ve en çok 6 ondalık basamaklı bir sayı olmalı",
  },
  TARIFF_CELL_STEP: {
    en: 'must be a whole number from 1 to 100',
    tr: '1 ile 100 arasında bir tam sayı olmalı',
  },
  TARIFF_CELL_TEXT: { en: 'must be text', tr: 'metin olmalı' },
})

/** Faults of a row of an imported file. */
export const TARIFF_ROWS = messages({
  TARIFF_ROW_REPEATED: {
    en: 'repeats {key} of row {first_row}',
    tr: '{first_row}. satırdaki {key} yineleniyor',
  },
  TARIFF_ROW_EXISTS: {
    en: 'the set already has a price for this {key}',
    tr: 'sette bu {key} için zaten bir fiyat var',
  },
  TARIFF_HEADER_UNKNOWN: {
    en: 'the header of column {column_no} is not one of {headers}',
    tr: '{column_no}. sütunun başlığı şunlardan biri olmalı: {headers}',
  },
  TARIFF_HEADER_REPEATED: { en: 'the header {column} stands twice', tr: '{column} başlığı iki kez var' },
  TARIFF_CELL_WITHOUT_HEADER: {
    en: 'column {column_no} has a value but no header',
    tr: '{column_no}. sütunda değer var, başlık yok',
  },
  TARIFF_CELL_FORMULA: {
    en: '{column} begins with a character that a spreadsheet takes for a formula (= + - @, tab, line break)',
    tr: '{column}, hesap tablosunun formül sandığı bir karakterle başlıyor (= + - @, sekme, satır sonu)',
  },
  TARIFF_CELL_REFUSED: { en: '{column} {problem}', tr: '{column} {problem}' },
  TARIFF_CELL_MISSING: { en: '{column} is missing', tr: '{column} eksik' },
  TARIFF_DATES_REVERSED: {
    en: 'valid_to must not lie before valid_from',
    tr: 'valid_to, valid_from tarihinden önce olamaz',
  },
})
