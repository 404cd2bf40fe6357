import { messages } from '../../kernel/messages.ts'

export const CHARGING_ALARM_TEXTS = messages({
  END_CHARGER_REMOVED: {
    en: 'the charger was taken out of service',
    tr: 'şarj istasyonu hizmetten çıkarıldı',
  },
  OCPP_SECURITY_EVENT: { en: '{charger} reports {type}', tr: '{charger} bildirdi: {type}' },
  OCPP_SECURITY_EVENT_WITH_INFO: {
    en: '{charger} reports {type}: {tech_info}',
    tr: '{charger} bildirdi: {type}: {tech_info}',
  },
  OCPP_CONNECTION_CONTESTED: {
    en: '{charger}: its connection was taken over {takeovers} times within {minutes} minutes; two stations may have its identity',
    tr: '{charger}: bağlantısı {minutes} dakika içinde {takeovers} kez devralındı; iki istasyon aynı kimliği kullanıyor olabilir',
  },
})
