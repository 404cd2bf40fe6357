import { messages } from '../../../kernel/messages.ts'

/** Why the service closed or withdrew an incident of a device. `metric` is a word of `metric-names.ts`. */
export const END_REASONS = messages({
  INCIDENT_END_SENDING: { en: 'it is sending again', tr: 'cihaz yeniden veri gönderiyor' },
  INCIDENT_END_COUNTING: { en: '{metric} counts again', tr: '{metric:word} sayacı yeniden artıyor' },
  INCIDENT_END_CHANGE: {
    en: 'the change of {metric} is within its limit again',
    tr: '{metric:word} değişimi yeniden sınırları içinde',
  },
  INCIDENT_END_LEVEL: {
    en: '{metric} is {value} {unit}, within its limit again',
    tr: '{metric:word} {value:number} {unit}, yeniden sınırları içinde',
  },
  INCIDENT_END_LEVEL_WITHOUT_UNIT: {
    en: '{metric} is {value}, within its limit again',
    tr: '{metric:word} {value:number}, yeniden sınırları içinde',
  },
  INCIDENT_WITHDRAWN_SILENCE: {
    en: 'its samples of that time came later: the device lived, only its connection was down',
    tr: 'o zamana ait veriler sonradan geldi: cihaz çalışıyordu, yalnızca bağlantısı kesikti',
  },
  INCIDENT_WITHDRAWN: {
    en: 'samples that came later show that the condition did not hold',
    tr: 'sonradan gelen veriler koşulun gerçekleşmediğini gösteriyor',
  },
  INCIDENT_END_POLICY_CHANGED: { en: 'the policy was changed', tr: 'alarm kuralı değiştirildi' },
  INCIDENT_END_POLICY_OFF: { en: 'the policy was switched off', tr: 'alarm kuralı kapatıldı' },
  INCIDENT_END_POLICY_DELETED: { en: 'the policy was deleted', tr: 'alarm kuralı silindi' },
  INCIDENT_END_OUT_OF_SCOPE: {
    en: 'the device is no longer where the policy watches',
    tr: 'cihaz artık alarm kuralının izlediği yerde değil',
  },
})
