import { messages } from '../../../kernel/messages.ts'

export const HOURLY_FORECAST_TEXTS = messages({
  HOURLY_FORECAST_RANGE_INVALID: {
    en: '{from:date} is not between {first:date} and {last:date}',
    tr: '{from:date}, {first:date} ile {last:date} arasında değil',
  },
  HOURLY_FORECASTS_OPEN: {
    en: '{count} {count?forecast is:forecasts are} waiting; wait until one is finished',
    tr: '{count} tahmin bekliyor; birinin bitmesini bekleyin',
  },
  HOURLY_FORECASTS_KEPT: {
    en: '{max} forecasts are stored; delete one first',
    tr: '{max} tahmin saklanıyor; önce birini silin',
  },
  HOURLY_FORECAST_NOT_WAITING: {
    en: 'the forecast is finished',
    tr: 'tahmin bitti',
  },
  HOURLY_FORECAST_NOT_DONE: {
    en: 'the forecast has no result',
    tr: 'tahminin sonucu yok',
  },
  HOURLY_FORECAST_WITHOUT_HOURS: {
    en: 'no hour of these facilities is known before the forecast',
    tr: 'bu tesislerin tahminden önce bilinen saati yok',
  },
  HOURLY_FORECAST_FAILED: {
    en: 'the forecast could not be computed; the log of the service has the cause',
    tr: 'tahmin hesaplanamadı; neden, hizmetin günlüğünde',
  },
})
