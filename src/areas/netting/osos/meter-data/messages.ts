import { messages } from '../../../../kernel/messages.ts'

/** The faults of rows of a file of meter data. */
export const ROW_TEXTS = messages({
  ROW_TIME_UNREADABLE: {
    en: 'has no date and time, such as 01.11.2026 13:15, 2026-11-01T13:15:00+03:00 or a date and an hour in two columns',
    tr: 'tarih ve saat okunamıyor; örnek: 01.11.2026 13:15, 2026-11-01T13:15:00+03:00 veya iki sütunda tarih ve saat',
  },
  ROW_TIME_CONTRADICTORY: {
    en: 'names one time in the cell of its date and another in its column',
    tr: 'tarih hücresindeki saat ile saat sütunundaki saat farklı',
  },
  ROW_TIME_BEGINS_NO_INTERVAL: {
    en: '24:00 ends a day and begins no interval',
    tr: '24:00 günün sonudur, bir aralık başlatmaz',
  },
  ROW_TIME_OFF_GRID: {
    en: 'is not at the edge of an interval of the declared length',
    tr: 'zaman, bildirilen uzunluktaki bir aralığın sınırında değil',
  },
  ROW_TIME_IN_FUTURE: { en: 'lies in the future', tr: 'zaman gelecekte' },
  ROW_TIME_TOO_EARLY: { en: 'lies before the first billing period', tr: 'zaman ilk fatura döneminden önce' },
  ROW_TIME_REPEATED: {
    en: 'repeats the time of row {first_row} with another value',
    tr: '{first_row}. satırdaki zaman başka bir değerle yineleniyor',
  },
  ROW_VALUE_UNREADABLE: {
    en: 'has a value that is no number with the decimal mark of the file: {text}',
    tr: 'değer, dosyanın ondalık işaretiyle yazılmış bir sayı değil: {text}',
  },
  ROW_VALUE_NEGATIVE: { en: 'has a register below zero', tr: 'endeks sıfırın altında' },
  ROW_REGISTER_TOO_LARGE: {
    en: 'a register counts less than nine billion kWh',
    tr: 'bir endeks dokuz milyar kWh değerinden küçük olmalıdır',
  },
  ROW_HOUR_TOO_LARGE: {
    en: 'is more than {limit_kwh:number} kWh in one hour',
    tr: 'bir saatte {limit_kwh:number} kWh değerinden fazla',
  },
  ROW_HOUR_REJECTED: {
    en: 'begins an hour that cannot be stored: {reason}',
    tr: 'saklanamayan bir saati başlatıyor: {reason}',
  },
})

/** The refusals of the fields of an import, which contradict each other or lack one. */
export const FORM_TEXTS = messages({
  FORM_REGISTER_WITH_LABEL: {
    en: 'label a register reading has an instant and no label',
    tr: 'label: endeks okumasının etiketi değil, anı vardır',
  },
  FORM_FIELD_NEEDED_FOR_INTERVALS: {
    en: '{field} is required for intervals',
    tr: 'aralık verisi için {field} gereklidir',
  },
  FORM_COLUMNS_NOT_OBJECT: {
    en: 'columns is a JSON object of headers by {columns}',
    tr: 'columns, başlıkları şu adlarla veren bir JSON nesnesidir: {columns}',
  },
  FORM_INSTALLATION_EXCLUDES_FACILITY: {
    en: 'installation_id excludes facility_id and measurement_role',
    tr: 'installation_id ile facility_id veya measurement_role birlikte verilemez',
  },
  FORM_METER_NEEDED: {
    en: 'facility_id or installation_id is required',
    tr: 'facility_id veya installation_id gereklidir',
  },
  FORM_ROLE_NEEDED: {
    en: 'measurement_role is required with facility_id',
    tr: 'facility_id ile birlikte measurement_role gereklidir',
  },
  FORM_INSTALLATION_WITHOUT_ROLE: {
    en: 'installation_id names an installation without a measurement role',
    tr: 'installation_id ölçüm rolü olmayan bir tesisatı gösteriyor',
  },
})
