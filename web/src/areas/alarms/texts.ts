import { messages } from '../../../../src/kernel/messages.ts'

export const ALARM_TEXTS = messages({
  ALARMS: { en: 'Alarms', tr: 'Alarmlar' },
  ALARMS_POLICIES: { en: 'Policies', tr: 'Kurallar' },
  ALARMS_SHOWN: { en: 'Shown', tr: 'Gösterilen' },
  ALARMS_OPEN: { en: 'Open', tr: 'Açık' },
  ALARMS_ALL: { en: 'All', tr: 'Tümü' },
  ALARMS_NONE: { en: 'No alarm', tr: 'Alarm yok' },
  ALARMS_SEVERITY: { en: 'Severity', tr: 'Önem' },
  ALARMS_MESSAGE: { en: 'Message', tr: 'Mesaj' },
  ALARMS_DEVICE: { en: 'Device', tr: 'Cihaz' },
  ALARMS_SINCE: { en: 'Since', tr: 'Başlangıç' },
  ALARMS_STATUS: { en: 'Status', tr: 'Durum' },
  ALARMS_SELECT: { en: 'Select {message}', tr: 'Seç: {message}' },
  ALARMS_ACKNOWLEDGE: { en: 'Acknowledge', tr: 'Onayla' },
  ALARMS_ACKNOWLEDGE_SELECTED: {
    en: 'Acknowledge {count} {count?alarm:alarms}',
    tr: '{count} alarmı onayla',
  },
  ALARMS_ACKNOWLEDGED_COUNT: {
    en: '{count} {count?alarm:alarms} acknowledged',
    tr: '{count} alarm onaylandı',
  },
  ALARMS_KEYS: {
    en: 'Keys: arrow up and down move, space selects, A acknowledges.',
    tr: 'Tuşlar: yukarı ve aşağı ok gezinir, boşluk seçer, A onaylar.',
  },
  ALARMS_STATUS_ACTIVE: { en: 'Active', tr: 'Etkin' },
  ALARMS_STATUS_ACKNOWLEDGED: { en: 'Acknowledged', tr: 'Onaylandı' },
  ALARMS_STATUS_SNOOZED: { en: 'Snoozed', tr: 'Ertelendi' },
  ALARMS_STATUS_CLOSED: { en: 'Closed', tr: 'Kapandı' },
  ALARMS_INFO: { en: 'Info', tr: 'Bilgi' },
  ALARMS_WARNING: { en: 'Warning', tr: 'Uyarı' },
  ALARMS_CRITICAL: { en: 'Critical', tr: 'Kritik' },
})
