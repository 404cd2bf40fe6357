import { messages } from '../../../kernel/messages.ts'

export const POLICY_TEXTS = messages({
  POLICY_FIELD_REQUIRED: { en: 'is required for {type}', tr: '{type} için gereklidir' },
  POLICY_CLEAR_ABOVE: { en: 'must not be above threshold', tr: 'threshold değerinin üzerinde olamaz' },
  POLICY_CLEAR_BELOW: { en: 'must not be below threshold', tr: 'threshold değerinin altında olamaz' },
  POLICY_TYPE_OF_SERVICE: {
    en: 'must be one of {kinds}; {type} belongs to the service',
    tr: 'şu değerlerden biri olmalı: {kinds}; {type} hizmetin kendi alarm türüdür',
  },
  POLICY_SUBREGION_WITH_DEVICE: {
    en: 'must be left out when device_id is given',
    tr: 'device_id verildiğinde boş bırakılmalı',
  },
  POLICY_FIELD_UNUSED: {
    en: 'means nothing for {type}; must be left out',
    tr: '{type} için anlamı yoktur; boş bırakılmalı',
  },
  POLICY_METRIC_SYNTAX: {
    en: 'must be a metric or the name of an extra value, without blanks around it',
    tr: 'bir metrik ya da ek değerin adı olmalı, başında ve sonunda boşluk olmamalı',
  },
  POLICY_SILENCE_TOO_SHORT: {
    en: 'must be at least {min}: it is the silence that is too long',
    tr: 'en az {min} olmalı: alarm için çok uzun sayılan veri kesintisinin süresidir',
  },
  POLICY_METRIC_NOT_REGISTER: {
    en: 'must be a cumulative register',
    tr: 'birikimli (kümülatif) bir sayaç değeri olmalı',
  },
  POLICY_OPERATOR_OF_RATE: {
    en: 'must be gt, gte, lt or lte for rate_of_change',
    tr: 'rate_of_change için gt, gte, lt ya da lte olmalı',
  },
  POLICY_CLEAR_UNUSED: {
    en: 'means nothing for {operator}; must be left out',
    tr: '{operator} için anlamı yoktur; boş bırakılmalı',
  },
})

/** Warnings about a policy that is stored, but may never open an incident. */
export const POLICY_WARNINGS = messages({
  ALARM_METRIC_NOT_SENT: {
    en: 'none of the devices that the policy monitors has sent {metric} in its newest samples: check the name',
    tr: 'kuralın izlediği cihazların hiçbiri son örneklerinde {metric} göndermedi: adı kontrol edin',
  },
  ALARM_POLICY_WITHOUT_DEVICES: {
    en: 'the policy monitors no device yet',
    tr: 'kuralın izlediği bir cihaz henüz yok',
  },
})
