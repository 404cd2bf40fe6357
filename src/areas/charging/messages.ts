import { declareWords, messages } from '../../kernel/messages.ts'

declareWords({
  sent: 'gönderildi',
  accepted: 'kabul edildi',
  timed_out: 'zaman aşımı',
  expired: 'süresi doldu',
  used: 'kullanıldı',
  removed: 'kaldırıldı',
  waiting: 'bekleniyor',
  received: 'alındı',
  blocked: 'engellendi',
  concurrent_tx: 'başka bir oturumda',
})

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

/** Why a command has no answer. */
export const COMMAND_ERRORS = messages({
  COMMAND_CONNECTION_ENDED: { en: 'the connection ended', tr: 'bağlantı kesildi' },
  COMMAND_ANSWER_NOT_KEPT: {
    en: 'the answer cannot be kept: it {fault}',
    tr: 'yanıt saklanamıyor: {fault}',
  },
})

export const CHARGING_TEXTS = messages({
  CHARGER_WITHOUT_CLIENT_CERTIFICATE: {
    en: 'the charger has no valid client certificate: request one with extended_trigger_message or trigger_message, sign_charging_station_certificate',
    tr: 'şarj istasyonunun geçerli bir istemci sertifikası yok: extended_trigger_message ya da trigger_message ile sign_charging_station_certificate isteyin',
  },
  CHARGER_STRANDED: { en: 'the station could not connect: {reason}', tr: 'istasyon bağlanamazdı: {reason}' },
  SECURITY_PROFILE_LOWERED: {
    en: 'the charger has connected with security profile {reached}, which is never lowered',
    tr: 'şarj istasyonu {reached} güvenlik profiliyle bağlandı; profil hiçbir zaman düşürülmez',
  },
  SECURITY_PROFILE_NO_LISTENER: {
    en: 'the service has no listener that checks client certificates: set OCPP_TLS_PORT',
    tr: 'hizmetin istemci sertifikası denetleyen bir bağlantı noktası yok: OCPP_TLS_PORT ayarlayın',
  },
  SECURITY_PROFILE_URL: {
    en: 'security profiles 2 and 3 need a URL that begins with wss://',
    tr: '2 ve 3 numaralı güvenlik profilleri wss:// ile başlayan bir URL gerektirir',
  },
  SESSION_OVER: { en: 'the session is over already', tr: 'oturum zaten bitti' },
  SESSION_OR_TRANSACTION: {
    en: 'name the session or its transaction_id, one of them',
    tr: 'oturumu ya da transaction_id değerini verin, yalnızca birini',
  },
  PASSWORD_OWN_ENDPOINT: {
    en: 'a password is set with POST .../password',
    tr: 'parola POST .../password ile belirlenir',
  },
  CHARGER_HAS_SESSION: {
    en: 'the charger has a session that is not over: end it first',
    tr: 'şarj istasyonunun bitmemiş bir oturumu var: önce onu sonlandırın',
  },
  CHARGER_CPID_EXISTS: { en: 'a charger with this cpid exists', tr: 'bu cpid ile bir şarj istasyonu var' },
  CHARGER_LIMITED_BY_GROUP: {
    en: 'a charging group sets what the whole charger may draw',
    tr: 'istasyonun tamamının çekebileceği gücü bir şarj grubu belirliyor',
  },
  PROFILE_MAX_CONNECTOR: {
    en: 'charge_point_max is for connector 0, the whole station',
    tr: 'charge_point_max, konnektör 0 (istasyonun tamamı) içindir',
  },
  PROFILE_TX_SESSION: {
    en: 'a tx profile, and only that, is for a session',
    tr: 'bir oturuma yalnızca tx profili bağlanır ve her tx profili bir oturum içindir',
  },
  PROFILE_SESSION_OVER: {
    en: 'the session is over: nothing can be limited',
    tr: 'oturum bitti: sınırlanabilecek bir şey yok',
  },
  PROFILE_STATE: { en: 'the profile is {state}', tr: 'profilin durumu: {state:word}' },
  PROFILE_FIRST_PERIOD: {
    en: 'the first period must begin with second 0',
    tr: 'ilk dönem 0. saniyede başlamalı',
  },
  PROFILE_PERIODS_ASCEND: {
    en: 'each period must begin after the one before',
    tr: 'her dönem bir öncekinden sonra başlamalı',
  },
  PROFILE_RELATIVE_START: {
    en: 'a relative profile has no start_at: it begins with the charging',
    tr: 'göreli (relative) profilin start_at değeri olmaz: şarjla birlikte başlar',
  },
  PROFILE_RECURRENCY: {
    en: 'a recurring profile, and only that, says whether it is daily or weekly',
    tr: 'recurrency (daily ya da weekly) yalnızca yinelenen (recurring) profilde verilir ve orada zorunludur',
  },
  PROFILE_VALIDITY: {
    en: 'valid_to must be after valid_from, and not over',
    tr: 'valid_to, valid_from değerinden sonra ve gelecekte olmalı',
  },
  COMMANDS_WAITING: {
    en: 'at most {max} commands can wait for a charger',
    tr: 'bir şarj istasyonu için en çok {max} komut bekleyebilir',
  },
  COMMAND_NOT_CHANGED: {
    en: 'the command is {state}: it cannot be {to}',
    tr: 'komutun durumu {state:word}: bu geçiş yapılamaz: {to:word}',
  },
  FILE_ALREADY_REQUESTED: {
    en: 'the station was already asked for such a file, and it has not come yet',
    tr: 'istasyondan böyle bir dosya zaten istendi ve henüz gelmedi',
  },
  FILE_WITHOUT_BASE_URL: {
    en: 'PUBLIC_BASE_URL is not set, so a station cannot be told where to send a file; give a location of your own',
    tr: 'PUBLIC_BASE_URL ayarlı olmadığından istasyona dosyayı göndereceği adres bildirilemiyor; kendi adresinizi verin (location)',
  },
  FILE_NOT_RECEIVED: {
    en: 'the file has not been received: it is {state}',
    tr: 'dosya alınmadı, durumu: {state:word}',
  },
  GROUP_MEMBER_TWICE: {
    en: 'a charger stands among the members twice',
    tr: 'bir şarj istasyonu üyeler arasında iki kez yer alıyor',
  },
  CHARGING_GROUP_NAME_EXISTS: {
    en: 'a charging group with this name exists',
    tr: 'bu adla bir şarj grubu var',
  },
  CHARGER_IN_ONE_GROUP: {
    en: 'a charger is in one charging group only',
    tr: 'bir şarj istasyonu yalnızca bir şarj grubunda bulunabilir',
  },
  LOCAL_LIST_SYNCING: { en: 'the list is being sent already', tr: 'liste zaten gönderiliyor' },
  LOCAL_LIST_CAPACITY: {
    en: 'the station keeps at most {max} tags: choose which',
    tr: 'istasyon en çok {max} kart saklar: hangileri olacağını seçin',
  },
  PASSWORD_BEING_SENT: {
    en: 'the station is being told another password this moment: try again soon',
    tr: 'istasyona şu anda başka bir parola bildiriliyor: kısa süre sonra yeniden deneyin',
  },
  RESERVATION_TOO_FAR: {
    en: 'expires_at must be within the next {days} days',
    tr: 'expires_at önümüzdeki {days} gün içinde olmalı',
  },
  RESERVATION_TAG_STATUS: {
    en: 'the tag is {status}: nobody could use the reservation',
    tr: 'kartın durumu {status:word}: rezervasyonu kimse kullanamazdı',
  },
  TAG_TOO_LONG_16: {
    en: 'OCPP 1.6 knows no tags of more than {max} characters',
    tr: 'OCPP 1.6, {max} karakterden uzun kartları desteklemez',
  },
  RESERVATION_NOT_CHANGED: {
    en: 'the reservation is {state}: it cannot be {to}',
    tr: 'rezervasyonun durumu {state:word}: bu geçiş yapılamaz: {to:word}',
  },
  TAG_GROUP_OF_ITSELF: {
    en: 'an id tag cannot be a group of itself',
    tr: 'bir kimlik kartı kendi grubu olamaz',
  },
  TAG_LEVELS_EXCEEDED: {
    en: 'groups of groups have at most {max} levels',
    tr: 'iç içe gruplar en çok {max} düzey olabilir',
  },
  TAG_EXISTS: {
    en: 'an id tag with these letters exists, whatever their case',
    tr: 'harf büyüklüğünden bağımsız olarak bu metinle bir kimlik kartı var',
  },
  CERTIFICATE_NOT_PEM: { en: 'it is no certificate', tr: 'bu bir sertifika değil' },
  SESSION_REPORT_EMPTY: { en: 'must be later than from', tr: 'from değerinden sonra olmalı' },
  SESSION_REPORT_TOO_LONG: {
    en: 'at most {days} days of sessions can be asked for at once',
    tr: 'bir kerede en çok {days} günlük oturum istenebilir',
  },
})
