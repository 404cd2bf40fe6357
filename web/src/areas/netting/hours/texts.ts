import { messages } from '../../../../../src/kernel/messages.ts'

/** Texts about the hours of a group in charts. */
export const HOURS_TEXTS = messages({
  HOURS_SUSPECT: { en: 'suspect data', tr: 'şüpheli veri' },
  HOURS_INCOMPLETE: { en: 'incomplete or estimated data', tr: 'eksik veya tahmini veri' },
  HOURS_STALE: { en: 'outdated: the input has changed since', tr: 'güncel değil: girdi sonradan değişti' },
  HOURS_CORRECTED: { en: 'corrected by late data', tr: 'geç gelen veriyle düzeltildi' },
  HOURS_UNKNOWN: { en: 'unknown', tr: 'bilinmiyor' },
  HOURS_NOT_CALCULATED: { en: 'not calculated', tr: 'hesaplanmadı' },
  HOURS_CHART: { en: 'Course', tr: 'Seyir' },
  HOURS_LEGEND: { en: 'Signs', tr: 'İşaretler' },
  HOURS_RANGE: { en: '{from} to {to}', tr: '{from} – {to}' },
  HOURS_YEAR: { en: 'Year', tr: 'Yıl' },
  HOURS_MONTH: { en: 'Month', tr: 'Ay' },
  HOURS_WEEK: { en: 'Week', tr: 'Hafta' },
  HOURS_DAY: { en: 'Day', tr: 'Gün' },
  HOURS_SPAN: { en: 'Range shown', tr: 'Gösterilen aralık' },
  HOURS_EARLIER: { en: 'Earlier', tr: 'Daha önce' },
  HOURS_LATER: { en: 'Later', tr: 'Daha sonra' },
  HOURS_ZOOM_IN: { en: 'Zoom in', tr: 'Yakınlaştır' },
  HOURS_ZOOM_OUT: { en: 'Zoom out', tr: 'Uzaklaştır' },
  HOURS_HELP: {
    en: 'Drag over the chart to zoom. A click shows how an hour came about; over more than two months, the day.',
    tr: 'Yakınlaştırmak için grafiğin üzerinde sürükleyin. Tıklama, saatin nasıl oluştuğunu; iki aydan uzun aralıkta günü gösterir.',
  },
  HOURS_BY_HOUR: { en: 'kWh by hour', tr: 'saatlik kWh' },
})
