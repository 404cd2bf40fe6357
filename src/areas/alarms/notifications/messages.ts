import { messages } from '../../../kernel/messages.ts'

/** Why a mail, a webhook or a message of a channel was not delivered. */
export const DELIVERY_TEXTS = messages({
  DELIVERY_ANSWERED: { en: 'it answered {status}', tr: 'alıcı {status} yanıtı verdi' },
  DELIVERY_REDIRECTED: {
    en: 'it answered {status}; redirects are not followed',
    tr: 'alıcı {status} yanıtı verdi; yönlendirmeler izlenmez',
  },
  DELIVERY_NOT_PUBLIC: {
    en: 'the address is not a public one; the operator can allow it (WEBHOOK_ALLOWED_NETWORKS)',
    tr: 'adres herkese açık değil; hizmetin işletmecisi izin verebilir (WEBHOOK_ALLOWED_NETWORKS)',
  },
  DELIVERY_NO_ANSWER: {
    en: 'the address does not answer as a webhook',
    tr: 'adres bir webhook olarak yanıt vermiyor',
  },
  DELIVERY_TIMEOUT: {
    en: 'no answer within {seconds} seconds',
    tr: '{seconds:number} saniye içinde yanıt gelmedi',
  },
  DELIVERY_CONNECTION_REFUSED: { en: 'the connection was refused', tr: 'bağlantı reddedildi' },
  DELIVERY_HOST_UNKNOWN: { en: 'the host name is not known', tr: 'sunucu adı bilinmiyor' },
  DELIVERY_HOST_LOOKUP_FAILED: {
    en: 'the host name could not be looked up',
    tr: 'sunucu adı sorgulanamadı',
  },
  DELIVERY_CONNECTION_CUT: { en: 'the connection was cut', tr: 'bağlantı kesildi' },
  DELIVERY_HOST_UNREACHABLE: { en: 'the host is out of reach', tr: 'sunucuya ulaşılamıyor' },
  DELIVERY_NETWORK_UNREACHABLE: { en: 'the network is out of reach', tr: 'ağa ulaşılamıyor' },
  DELIVERY_HOST_SILENT: { en: 'the host does not answer', tr: 'sunucu yanıt vermiyor' },
  DELIVERY_CALL_FAILED: { en: 'the call failed ({reason})', tr: 'çağrı başarısız oldu ({reason})' },
  DELIVERY_MAIL_TIMEOUT: {
    en: 'the mail server took too long',
    tr: 'e-posta sunucusu süresi içinde yanıt vermedi',
  },
  DELIVERY_FAILED: { en: '{reason}', tr: 'gönderilemedi: {reason}' },
  WEBHOOK_DISABLED: {
    en: 'Nothing is sent to this webhook any more, since it failed too often: {reason}',
    tr: 'Art arda çok kez başarısız olduğu için bu webhook adresine artık bir şey gönderilmiyor: {reason}',
  },
  CHANNEL_DISABLED: {
    en: 'Nothing is sent to this notification channel any more, because its platform refused messages: {reason}',
    tr: 'Platform iletileri kabul etmediği için bu bildirim kanalına artık bir şey gönderilmiyor: {reason}',
  },
  ESCALATION_INCIDENT_OVER: {
    en: 'the incident is no longer active',
    tr: 'alarm artık etkin değil',
  },
  ESCALATION_ADDRESS_UNVERIFIED: {
    en: 'the address is no verified address of a user of the tenant',
    tr: 'adres, kiracının bir kullanıcısının doğrulanmış adresi değil',
  },
  ESCALATION_CHANNEL_INACTIVE: { en: 'the channel is not active', tr: 'kanal etkin değil' },
  ESCALATION_USER_NOT_REACHED: {
    en: 'the user is not active or may not get mails about alarms',
    tr: 'kullanıcı etkin değil ya da alarm e-postası alamıyor',
  },
})
