import { declareWords, messages } from '../../kernel/messages.ts'

declareWords({
  active: 'etkin',
  acknowledged: 'onaylandı',
  snoozed: 'ertelendi',
  woken: 'yeniden etkinleştirildi',
  closed: 'kapandı',
})

export const ALARM_TEXTS = messages({
  INCIDENT_NOT_CHANGED: {
    en: 'the incident is {status}: it cannot be {event}',
    tr: 'alarmın durumu {status:word}: bu geçiş yapılamaz: {event:word}',
  },
  SNOOZE_UNTIL_OR_MINUTES: {
    en: 'give either until or minutes',
    tr: 'until ya da minutes alanlarından yalnızca birini verin',
  },
  INSTANT_NOT_IN_FUTURE: { en: 'must lie in the future', tr: 'gelecekte olmalı' },
  INSTANT_TOO_LATE: { en: 'must lie within {days} days', tr: '{days} gün içinde olmalı' },
  MAINTENANCE_LIMIT_REACHED: {
    en: 'a tenant has at most {max} maintenance windows',
    tr: 'bir kiracıda en çok {max} bakım penceresi olabilir',
  },
  MAINTENANCE_ONE_TARGET: {
    en: 'must name exactly one of policy_id, device_id and subregion_id',
    tr: 'policy_id, device_id ve subregion_id alanlarından tam olarak biri verilmeli',
  },
  MAINTENANCE_TO_BEFORE_FROM: { en: 'must be later than from', tr: 'from değerinden sonra olmalı' },
  MAINTENANCE_IN_PAST: { en: 'must not lie in the past', tr: 'geçmişte olamaz' },
  MAINTENANCE_TOO_LONG: {
    en: 'must not be more than {days} days after from',
    tr: 'from değerinden en çok {days} gün sonra olabilir',
  },
  WEBHOOK_LIMIT_REACHED: {
    en: 'a tenant has at most {max} webhooks; delete one',
    tr: 'bir kiracıda en çok {max} webhook olabilir; birini silin',
  },
  WEBHOOK_URL_SCHEME: {
    en: 'must be an address that begins with http:// or https://',
    tr: 'http:// ya da https:// ile başlayan bir adres olmalı',
  },
  WEBHOOK_URL_CREDENTIALS: {
    en: 'must not hold a user name or password',
    tr: 'kullanıcı adı ya da parola içermemeli',
  },
  WEBHOOK_URL_NOT_PUBLIC: { en: 'must lie at a public address', tr: 'herkese açık bir adreste olmalı' },
  WEBHOOK_NAME_EXISTS: { en: 'a webhook with this name exists', tr: 'bu adla bir webhook var' },
  CHANNEL_LIMIT_REACHED: {
    en: 'a tenant has at most {max} notification channels; delete one',
    tr: 'bir kiracıda en çok {max} bildirim kanalı olabilir; birini silin',
  },
  CHANNEL_NAME_EXISTS: {
    en: 'a notification channel with this name exists',
    tr: 'bu adla bir bildirim kanalı var',
  },
  CHANNEL_FIELD_REQUIRED: { en: 'is required for {type}', tr: '{type} için gereklidir' },
  CHANNEL_FIELD_UNUSED: {
    en: 'has no meaning for {type}; must be left out',
    tr: '{type} için anlamı yoktur; boş bırakılmalı',
  },
  CHANNEL_SERVER_URL_PATH: {
    en: 'must be the address of the server without a path',
    tr: 'sunucunun yolsuz (path içermeyen) adresi olmalı',
  },
  CHANNEL_TOKEN_AGAIN: {
    en: 'must be given again with another server_url, or be null',
    tr: 'server_url değiştirilirken yeniden verilmeli ya da null olmalı',
  },
  CHANNEL_TEST: {
    en: 'Test message of Netsaat to the channel {name}',
    tr: 'Netsaat deneme iletisi, kanal: {name}',
  },
  ESCALATION_NAME_EXISTS: {
    en: 'an escalation policy with this name exists',
    tr: 'bu adla bir yükseltme kuralı var',
  },
  ESCALATION_IN_USE: {
    en: 'an alarm policy names this escalation policy',
    tr: 'bu yükseltme kuralını kullanan bir alarm kuralı var',
  },
  ESCALATION_LIMIT_REACHED: {
    en: 'a tenant has at most {max} escalation policies',
    tr: 'bir kiracıda en çok {max} yükseltme kuralı olabilir',
  },
  ESCALATION_DEFAULT_EXISTS: {
    en: 'another escalation policy is the default of the severity {severity}',
    tr: 'bu önem derecesi için başka bir varsayılan yükseltme kuralı var: {severity}',
  },
  ESCALATION_DELAY_NOT_LATER: {
    en: 'must be longer than the delay of the level before it',
    tr: 'bir önceki kademenin süresinden uzun olmalı',
  },
  ESCALATION_ADDRESS_NOT_VERIFIED: {
    en: 'must be the verified address of a user of the tenant, since anybody can sign up here',
    tr: 'kiracının bir kullanıcısının doğrulanmış adresi olmalı, çünkü burada herkes kayıt olabilir',
  },
  ESCALATION_ONE_RECIPIENT: {
    en: 'must have exactly one of user_id, role_id, channel_id and email',
    tr: 'user_id, role_id, channel_id ve email alanlarından tam olarak birini içermeli',
  },
  ESCALATION_REPEAT_MINUTES: {
    en: 'is required when repeat_count is not 0',
    tr: 'repeat_count 0 değilse gereklidir',
  },
  QUIET_HOURS_INCOMPLETE: {
    en: 'quiet hours have both a beginning and an end',
    tr: 'sessiz saatlerin hem başlangıcı hem bitişi olmalı',
  },
  POLICY_LIMIT_REACHED: {
    en: 'a tenant has at most {max} alarm policies',
    tr: 'bir kiracıda en çok {max} alarm kuralı olabilir',
  },
  POLICY_WIDE_LIMIT_REACHED: {
    en: 'at most {max} alarm policies of a tenant may watch more than one device',
    tr: 'bir kiracıda en çok {max} alarm kuralı birden çok cihazı izleyebilir',
  },
})
