import { messages } from '../../kernel/messages.ts'

export const GATEWAY_TEXTS = messages({
  GATEWAY_HOST_NOT_ALLOWED: {
    en: 'must be a host name or an address in an allowed field network; the operator can allow the network (FIELD_ALLOWED_NETWORKS)',
    tr: 'bir sunucu adı ya da izin verilen saha ağlarından bir adres olmalı; sistem yöneticisi ağa izin verebilir (FIELD_ALLOWED_NETWORKS)',
  },
  GATEWAY_MODBUS_LOGIN: {
    en: 'a Modbus gateway does not log in at a message broker',
    tr: 'Modbus ağ geçidi mesaj aracısında (broker) oturum açmaz',
  },
  GATEWAY_BROKER_OWN_USERS: {
    en: 'gateways log in at the broker of MQTT_URL, which keeps its own users',
    tr: 'ağ geçitleri, kullanıcılarını kendisi yöneten MQTT_URL aracısında (broker) oturum açar',
  },
  GATEWAY_HOME_ASSISTANT_CONFIG: {
    en: 'a home_assistant gateway only reads and takes no configuration',
    tr: 'home_assistant ağ geçidi yalnızca okur ve yapılandırma almaz',
  },
  GATEWAY_ZIGBEE_CONFIG: {
    en: 'a zigbee gateway takes no raw configuration: zigbee2mqtt configures its devices itself',
    tr: 'zigbee ağ geçidi ham yapılandırma almaz: cihazlarını zigbee2mqtt yapılandırır',
  },
  GATEWAY_EXCEEDS: {
    en: 'the gateway has {excess}; spread its devices over several gateways',
    tr: 'ağ geçidinde {excess} var; cihazlarını birkaç ağ geçidine dağıtın',
  },
  GATEWAY_DEVICES_EXCEEDED: { en: 'more than {max} devices', tr: '{max:number} sayısından çok cihaz' },
  GATEWAY_MAPS_EXCEEDED: {
    en: 'more than {max} MiB of register maps',
    tr: '{max} MiB sınırını aşan yazmaç haritası',
  },
  BROKER_DID_NOT_ACCEPT: {
    en: 'the message broker did not take it: {reason}',
    tr: 'mesaj aracısı (broker) kabul etmedi: {reason}',
  },
  GATEWAY_NAME_EXISTS: { en: 'a gateway with this name exists', tr: 'bu adla bir ağ geçidi var' },
  CLAIM_LIMIT_REACHED: {
    en: 'at most {max} claims can be open; delete one',
    tr: 'en çok {max} kayıt kodu açık olabilir; birini silin',
  },
  CLAIM_CODE_NOT_VALID: {
    en: 'the code is not valid, has expired or was used already',
    tr: 'kod geçersiz, süresi dolmuş veya daha önce kullanılmış',
  },
})
