/** The names of the types of widgets, of the fields of their configs and of the values of these fields. */
import { type Message, messages } from '../../../../src/kernel/messages.ts'

const WIDGET_TEXTS = messages({
  WIDGET_DEVICE_READ_RATE: { en: 'Read rate of devices', tr: 'Cihaz okuma oranı' },
  WIDGET_CONSUMPTION_CHART: { en: 'Energy, chart', tr: 'Enerji grafiği' },
  WIDGET_CONSUMPTION_NUMERIC: { en: 'Energy, figure', tr: 'Enerji değeri' },
  WIDGET_COST_CHART: { en: 'Cost, chart', tr: 'Tutar grafiği' },
  WIDGET_COST_NUMERIC: { en: 'Cost, figure', tr: 'Tutar değeri' },
  WIDGET_REACTIVE_RATIO: { en: 'Reactive ratio', tr: 'Reaktif oran' },
  WIDGET_REALTIME_VALUE: { en: 'Live value', tr: 'Anlık değer' },
  WIDGET_REALTIME_GAUGE: { en: 'Live gauge', tr: 'Anlık gösterge' },
  WIDGET_REALTIME_3PHASE: { en: 'Three phases, live', tr: 'Üç faz, anlık' },
  WIDGET_REALTIME_POWER: { en: 'Powers, live', tr: 'Güçler, anlık' },
  WIDGET_ALARM_SUMMARY: { en: 'Open alarms', tr: 'Açık alarmlar' },
  WIDGET_OSOS_CONSUMPTION_CHART: { en: 'OSOS consumption, chart', tr: 'OSOS tüketim grafiği' },
  WIDGET_MAHSUPLASMA_BALANCE: { en: 'Netting balance', tr: 'Mahsuplaşma bakiyesi' },
  WIDGET_FIELD_DEVICE_ID: { en: 'Device', tr: 'Cihaz' },
  WIDGET_FIELD_DEVICE_IDS: { en: 'Devices', tr: 'Cihazlar' },
  WIDGET_FIELD_PERIOD: { en: 'Period', tr: 'Dönem' },
  WIDGET_FIELD_INTERVAL: { en: 'Interval', tr: 'Aralık' },
  WIDGET_FIELD_FLOW: { en: 'Energy', tr: 'Enerji' },
  WIDGET_FIELD_REPORTING_INTERVAL_S: { en: 'Seconds between samples', tr: 'Örnekler arası saniye' },
  WIDGET_FIELD_ABONE_GRUBU: { en: 'Subscriber group', tr: 'Abone grubu' },
  WIDGET_FIELD_IS_MULTI_TIME: { en: 'Multi-time tariff', tr: 'Çok zamanlı tarife' },
  WIDGET_FIELD_CONTRACTED_POWER_KW: { en: 'Contracted power, kW', tr: 'Sözleşme gücü, kW' },
  WIDGET_FIELD_METRIC: { en: 'Metric', tr: 'Ölçüm' },
  WIDGET_FIELD_UNIT: { en: 'Unit', tr: 'Birim' },
  WIDGET_FIELD_MIN_RANGE: { en: 'Lower end of the scale', tr: 'Ölçeğin alt ucu' },
  WIDGET_FIELD_MAX_RANGE: { en: 'Upper end of the scale', tr: 'Ölçeğin üst ucu' },
  WIDGET_FIELD_WARNING_THRESHOLD: { en: 'Warning from', tr: 'Uyarı eşiği' },
  WIDGET_FIELD_CRITICAL_THRESHOLD: { en: 'Critical from', tr: 'Kritik eşik' },
  WIDGET_FIELD_SCOPE: { en: 'Alarms of', tr: 'Alarmların kapsamı' },
  WIDGET_FIELD_SEVERITIES: { en: 'Severities', tr: 'Önem dereceleri' },
  WIDGET_FIELD_INSTALLATION_ID: { en: 'OSOS installation', tr: 'OSOS tesisatı' },
  WIDGET_FIELD_GROUP_ID: { en: 'Netting group', tr: 'Mahsuplaşma grubu' },
  WIDGET_FIELD_BILLING_PERIOD: { en: 'Month', tr: 'Ay' },
  WIDGET_VALUE_24H: { en: 'last 24 hours', tr: 'son 24 saat' },
  WIDGET_VALUE_TODAY: { en: 'today', tr: 'bugün' },
  WIDGET_VALUE_YESTERDAY: { en: 'yesterday', tr: 'dün' },
  WIDGET_VALUE_7D: { en: 'last 7 days', tr: 'son 7 gün' },
  WIDGET_VALUE_30D: { en: 'last 30 days', tr: 'son 30 gün' },
  WIDGET_VALUE_90D: { en: 'last 90 days', tr: 'son 90 gün' },
  WIDGET_VALUE_1Y: { en: 'last 12 months', tr: 'son 12 ay' },
  WIDGET_VALUE_THIS_WEEK: { en: 'this week', tr: 'bu hafta' },
  WIDGET_VALUE_LAST_WEEK: { en: 'last week', tr: 'geçen hafta' },
  WIDGET_VALUE_THIS_MONTH: { en: 'this month', tr: 'bu ay' },
  WIDGET_VALUE_LAST_MONTH: { en: 'last month', tr: 'geçen ay' },
  WIDGET_VALUE_THIS_YEAR: { en: 'this year', tr: 'bu yıl' },
  WIDGET_VALUE_HOURLY: { en: 'hours', tr: 'saatlik' },
  WIDGET_VALUE_DAILY: { en: 'days', tr: 'günlük' },
  WIDGET_VALUE_MONTHLY: { en: 'months', tr: 'aylık' },
  WIDGET_VALUE_CONSUMPTION: { en: 'consumption', tr: 'tüketim' },
  WIDGET_VALUE_PRODUCTION: { en: 'production', tr: 'üretim' },
  WIDGET_VALUE_EXPORT: { en: 'fed into the grid', tr: 'şebekeye verilen' },
  WIDGET_VALUE_MESKEN: { en: 'homes', tr: 'mesken' },
  WIDGET_VALUE_TICARETHANE: { en: 'commerce', tr: 'ticarethane' },
  WIDGET_VALUE_SANAYI: { en: 'industry', tr: 'sanayi' },
  WIDGET_VALUE_TARIMSAL_SULAMA: { en: 'irrigation', tr: 'tarımsal sulama' },
  WIDGET_VALUE_AYDINLATMA: { en: 'lighting', tr: 'aydınlatma' },
  WIDGET_VALUE_OTHER: { en: 'other', tr: 'diğer' },
  WIDGET_VALUE_SUBREGION: { en: 'this subregion', tr: 'bu alt bölge' },
  WIDGET_VALUE_TENANT: { en: 'all devices and system alarms', tr: 'tüm cihazlar ve sistem alarmları' },
  WIDGET_VALUE_INFO: { en: 'info', tr: 'bilgi' },
  WIDGET_VALUE_WARNING: { en: 'warning', tr: 'uyarı' },
  WIDGET_VALUE_CRITICAL: { en: 'critical', tr: 'kritik' },
})

type Texts = Readonly<Record<string, (() => Message) | undefined>>
type Translate = (message: Message) => string

/** A name that only a newer service has is shown as it is. */
const named = (key: string, name: string, t: Translate): string => {
  const text = (WIDGET_TEXTS as Texts)[`WIDGET_${key}${name.toUpperCase()}`]
  return text ? t(text()) : name
}
export const typeText = (type: string, t: Translate): string => named('', type, t)
export const fieldText = (field: string, t: Translate): string => named('FIELD_', field, t)
export const valueText = (value: string, t: Translate): string => named('VALUE_', value, t)
