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
