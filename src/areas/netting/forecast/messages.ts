import { messages } from '../../../kernel/messages.ts'

const SCALED = {
  en:
    'Each day ahead is taken as the mean day of its month last year, times this year’s use over last year’s on ' +
    'the days that both have. A month that last year does not know has the mean of the last 28 whole days.',
  tr:
    'Önümüzdeki her gün için geçen yılın aynı ayının günlük ortalaması alınır ve bu yılın kullanımının, her iki ' +
    'yılda da bilinen günlerdeki geçen yıl kullanımına oranıyla çarpılır. Geçen yılı bilinmeyen ay için son 28 tam ' +
    'günün ortalaması alınır.',
} as const

/** The methods and the limitations of comparisons and forecasts. */
export const FORECAST_TEXTS = messages({
  COMPARISON_METHOD: {
    en:
      'The same facts, members, prices and opening limits are netted twice: hour by hour, where no ' +
      'hour lends to another, and as one month, where they do. Both sides draw on the limit alike (homes have ' +
      'none): matched energy first, then paid surplus. The month takes the single-time prices of price_date. ' +
      'Total to the owner: producer payments plus the bill spared by matched energy, less the system usage fee. ' +
      'What the market pays the supplier for matched energy, and what free energy might have earned, are shown ' +
      'and not counted. Difference: hourly less monthly.',
    tr:
      'Aynı veriler, üyeler, fiyatlar ve dönem başı limitleri iki kez mahsuplaştırılır: saatlik olarak, hiçbir ' +
      'saatin fazlası başka bir saate aktarılmadan; ve tek bir ay olarak, saatler birbirini karşılayarak. İki tarafta ' +
      'da limit aynı biçimde kullanılır (meskenlerde limit yoktur): önce mahsuplaşan enerji, sonra bedelli ihtiyaç ' +
      'fazlası. Aylık tarafta price_date gününün tek zamanlı fiyatları geçerlidir. Tesis sahibinin toplamı: üretici ' +
      'ödemeleri artı mahsuplaşan enerji sayesinde ödenmeyen fatura, eksi sistem kullanım bedeli. Piyasanın ' +
      'mahsuplaşan enerji için tedarikçiye ödediği ve bedelsiz enerjinin getirebileceği tutarlar gösterilir, toplama ' +
      'katılmaz. Fark: saatlik eksi aylık.',
  },
  COMPARISON_MONTH_NOT_OVER: {
    en: 'The month is not over: what a later hour brings may still be matched by the month, never by an hour.',
    tr: 'Ay henüz bitmedi: sonraki saatler aylık mahsuplaşmayı değiştirebilir, geçmiş saatlerin saatlik mahsuplaşmasını değiştirmez.',
  },
  COMPARISON_GROUP_BLOCKED: {
    en: 'The group is blocked: its whole production is free, however it is netted.',
    tr: 'Grup engellenmiş durumda: hangi yöntemle mahsuplaşırsa mahsuplaşsın üretiminin tamamı bedelsizdir.',
  },
  COMPARISON_RESIDENTIAL: {
    en: 'Homes are netted by the month; the hourly side is what it would have been.',
    tr: 'Meskenlerde mahsuplaşma aylıktır; saatlik taraf varsayımsaldır.',
  },
  COMPARISON_MONTHLY_IN_FORCE: {
    en: 'Hourly netting is in force since {since:date}: the monthly figures are those that applied.',
    tr: 'Saatlik mahsuplaşma {since:date} tarihinde yürürlüğe girdi: bu dönemde aylık rakamlar geçerlidir.',
  },
  COMPARISON_PRICES_CHANGE: {
    en: 'Prices change within the month; the monthly side has those of {date:date}.',
    tr: 'Fiyatlar ay içinde değişiyor; aylık tarafta {date:date} tarihli fiyatlar kullanıldı.',
  },
  COMPARISON_MULTI_TIME: {
    en: 'A multi-time customer saves the price of the hour on the hourly side, the single-time price on the other.',
    tr: 'Çok zamanlı tarifedeki müşterinin tasarrufu saatlik tarafta o saatin fiyatıyla, aylık tarafta tek zamanlı fiyatla hesaplanır.',
  },
  READINGS_ASSUMED_GROUP: {
    en: 'Readings only: the facilities are netted as if they had been one valid group for the whole time.',
    tr: 'Yalnız okumalar: tesisler bütün dönem boyunca geçerli tek bir grupmuş gibi mahsuplaştırıldı.',
  },
  READINGS_FULL_LIMIT: {
    en: 'Each year begins with its whole limit at the first month shown; earlier use of the year is not known.',
    tr: 'Her yıl, gösterilen ilk ayda limitin tamamıyla başlar; yılın daha önceki kullanımı bilinmiyor.',
  },
  READINGS_LIMIT_FROM_CONSUMPTION: {
    en: 'The limit is taken as twice the consumption of the previous year for: {facilities}.',
    tr: 'Limit, önceki yıl tüketiminin iki katı olarak alındı: {facilities}.',
  },
  READINGS_LIMIT_UNKNOWN: {
    en: 'No limit is known, so no surplus owes the system usage fee, for: {facilities}.',
    tr: 'Limit bilinmiyor, bu nedenle ihtiyaç fazlası için sistem kullanım bedeli hesaplanmadı: {facilities}.',
  },
  READINGS_WITHOUT_METERS: {
    en: 'No main meter is in force, so these facilities are left out: {facilities}.',
    tr: 'Geçerli ana sayacı olmayan tesisler dışarıda bırakıldı: {facilities}.',
  },
  READINGS_HOURS_LEFT_OUT: {
    en: '{hours} of {of_hours} hours lack a value of a facility and are left out on both sides.',
    tr: '{of_hours} saatin {hours} saatinde bir tesisin değeri eksik; bu saatler iki tarafta da dışarıda bırakıldı.',
  },
  FORECAST_METHOD_LAST_YEAR_USAGE: {
    en: `${SCALED.en} Last year: what the facility’s account gave.`,
    tr: `${SCALED.tr} Geçen yıl: tesisin limit hesabından kullanılan miktar.`,
  },
  FORECAST_METHOD_LAST_YEAR_PRODUCTION: {
    en: `${SCALED.en} Last year: what the group produced, since its whole production draws on a limit that lasts.`,
    tr: `${SCALED.tr} Geçen yıl: grubun üretimi; çünkü limit bitmedikçe üretimin tamamı limitten düşülür.`,
  },
  FORECAST_METHOD_RECENT_AVERAGE: {
    en: 'Each day ahead is taken as the mean of the last 28 whole days, or of as many as there are.',
    tr: 'Önümüzdeki her gün için son 28 tam günün, daha azı varsa var olanların ortalaması alınır.',
  },
  FORECAST_METHOD_NONE: {
    en: 'There is neither use this year nor a last year to go by: no use is expected.',
    tr: 'Ne bu yılın kullanımı ne de geçen yılın verisi var: kullanım beklenmiyor.',
  },
  FORECAST_DAYS_MISSING: {
    en: '{days} days are not wholly calculated; what they used is not in the figures.',
    tr: '{days} gün bütünüyle hesaplanmadı; bu günlerin kullanımı rakamlara dahil değil.',
  },
  FORECAST_RESULTS_END: {
    en: 'The results reach to {date:date}; the use since then is part of the forecast.',
    tr: 'Sonuçlar {date:date} tarihine kadar; sonraki kullanım tahminin içinde.',
  },
  FORECAST_WITHOUT_LAST_YEAR: {
    en: 'No last year to go by: the seasons are not in the forecast, and solar production has strong ones.',
    tr: 'Geçen yılın verisi yok: tahmin mevsimleri içermiyor; oysa güneş üretimi mevsime çok bağlıdır.',
  },
  FORECAST_FEW_DAYS_COMPARED: {
    en: 'Too few days to compare this year with the last: last year stands as it was.',
    tr: 'Bu yılı geçen yılla karşılaştırmak için yeterli gün yok: geçen yıl olduğu gibi alındı.',
  },
  FORECAST_MONTHS_UNKNOWN: {
    en: 'Last year does not know every month ahead.',
    tr: 'Önümüzdeki ayların bir kısmı için geçen yılın verisi yok.',
  },
  FORECAST_LIMIT_USED_UP: {
    en: 'The limit is used up: matching goes on, but surplus owes the system usage fee.',
    tr: 'Limit tükendi: mahsuplaşma sürer, ancak ihtiyaç fazlası için sistem kullanım bedeli ödenir.',
  },
  FORECAST_YEAR_OVER: {
    en: 'The year is over: the figures are what it came to.',
    tr: 'Yıl bitti: rakamlar gerçekleşen sonuçtur.',
  },
})

/** The refusals of questions about readings alone. */
export const READINGS_ERRORS = messages({
  READINGS_YEAR_OUT_OF_RANGE: {
    en: 'year must lie between {first} and the current one',
    tr: 'year, {first} ile içinde bulunulan yıl arasında olmalıdır',
  },
  READINGS_HOMES: { en: 'homes have no limit to forecast', tr: 'konutların tahmin edilecek limiti yok' },
  READINGS_TOO_MANY_FACILITIES: {
    en: 'at most {max} facilities can be asked for at once',
    tr: 'bir istekte en çok {max} tesis sorulabilir',
  },
  READINGS_FROM_TOO_EARLY: {
    en: 'from must not lie before {year}',
    tr: 'from, {year} yılından önce olamaz',
  },
  READINGS_TO_BEFORE_FROM: { en: 'to must not lie before from', tr: 'to, from değerinden önce olamaz' },
  READINGS_TOO_MANY_MONTHS: {
    en: 'at most {max} months can be compared at once',
    tr: 'bir istekte en çok {max} ay karşılaştırılabilir',
  },
  READINGS_MONTHS_NOT_BEGUN: {
    en: 'the months must not lie in the future and must have a full hour',
    tr: 'aylar gelecekte olamaz ve en az bir tamamlanmış saati olmalıdır',
  },
})
