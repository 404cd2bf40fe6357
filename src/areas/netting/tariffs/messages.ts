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
