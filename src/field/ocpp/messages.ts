import { messages } from '../../kernel/messages.ts'

/** Why a command was not sent or got no answer. */
export const OCPP_TEXTS = messages({
  OCPP_COMMAND_NOT_IN_VERSION: {
    en: 'OCPP {version} has no {action}',
    tr: 'OCPP {version} sürümünde {action} komutu yok',
  },
  OCPP_CALLS_WAITING: {
    en: 'too many calls wait for this station',
    tr: 'bu istasyon için bekleyen çağrı sayısı çok yüksek',
  },
  OCPP_STATION_GONE: { en: 'the station has gone', tr: 'istasyonun bağlantısı kesildi' },
  OCPP_NO_ANSWER: { en: 'no answer within {timeout_ms} ms', tr: '{timeout_ms} ms içinde yanıt gelmedi' },
})
