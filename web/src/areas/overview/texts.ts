import { messages } from '../../../../src/kernel/messages.ts'

export const OVERVIEW_TEXTS = messages({
  OVERVIEW: { en: 'Overview', tr: 'Genel bakış' },
  OVERVIEW_OPEN_ALARMS: { en: 'Open alarms', tr: 'Açık alarmlar' },
  OVERVIEW_SILENT_GATEWAYS: { en: 'Silent gateways', tr: 'Sessiz ağ geçitleri' },
  OVERVIEW_SILENT_DEVICES: { en: 'Silent devices', tr: 'Sessiz cihazlar' },
  OVERVIEW_HOURLY_COST: {
    en: '{name}: hourly instead of monthly netting, this month',
    tr: '{name}: bu ay aylık yerine saatlik mahsuplaşmanın etkisi',
  },
})
