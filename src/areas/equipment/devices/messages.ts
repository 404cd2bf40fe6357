import { messages } from '../../../kernel/messages.ts'

export const DEVICE_TEXTS = messages({
  DEVICE_GATEWAY_TYPE: {
    en: '{field} refers to a {gateway_type} gateway',
    tr: '{field}, {gateway_type} türünde bir ağ geçidini gösteriyor',
  },
  DEVICE_SLAVE_TAKEN: {
    en: 'another device of the gateway has this slave_id',
    tr: 'ağ geçidindeki başka bir cihaz bu slave_id değerini kullanıyor',
  },
  DEVICE_BELOW_ITSELF: { en: 'a device cannot stand below itself', tr: 'bir cihaz kendi altında yer alamaz' },
  DEVICE_NOT_INVERTER: {
    en: 'only a device with device_role inverter has an inverter_type',
    tr: 'inverter_type yalnızca device_role değeri inverter olan cihazlarda bulunur',
  },
  DEVICE_TEMPLATE_NOT_MQTT: {
    en: 'the template cannot be read over a message broker',
    tr: 'şablon bir mesaj aracısı (broker) üzerinden okunamaz',
  },
  DEVICE_TEMPLATE_NEEDED: {
    en: 'a device on a message-broker gateway needs a template',
    tr: 'mesaj aracısı (broker) kullanan bir ağ geçidindeki cihazın şablonu olmalı',
  },
  DEVICE_METADATA_KEYS: {
    en: 'must not have more than {max} keys together with those that are stored',
    tr: 'kayıtlı olanlarla birlikte en çok {max} anahtar içerebilir',
  },
  DEVICE_SOURCE_OCPP: {
    en: 'the device is that of a charger: its source stays ocpp',
    tr: 'cihaz bir şarj istasyonuna ait: kaynağı ocpp olarak kalır',
  },
})
