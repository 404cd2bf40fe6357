import { declareWords, type Message, messages } from './messages.ts'

declareWords({
  group: 'grup',
  gateway: 'ağ geçidi',
  device: 'cihaz',
  installation: 'tesisat',
  facility: 'tesis',
  charger: 'şarj istasyonu',
  session: 'oturum',
  region: 'bölge',
  subregion: 'alt bölge',
  'firmware version': 'yazılım sürümü',
  widget: 'gösterge',
  update: 'güncelleme',
  'id tag': 'kimlik kartı',
  'device template': 'cihaz şablonu',
  command: 'komut',
  batch: 'güncelleme paketi',
  user: 'kullanıcı',
  role: 'rol',
  member: 'üyelik',
  link: 'bağlantı',
  'limit account': 'limit hesabı',
  export: 'dışa aktarım',
  'dead letter': 'işlenemeyen mesaj',
  'alarm policy': 'alarm kuralı',
  'alarm incident': 'alarm',
  notification: 'bildirim',
  upload: 'yükleme',
  scope: 'kapsam',
  'maintenance window': 'bakım penceresi',
  file: 'dosya',
  assignment: 'sayaç ataması',
  'LOTO lock': 'LOTO kilidi',
  'LOTO point': 'LOTO noktası',
  'LOTO session': 'LOTO oturumu',
  tenant: 'kiracı',
  'system-wide organization': 'sistem kuruluşu',
  'register map': 'yazmaç haritası',
  'configuration version': 'yapılandırma sürümü',
  organization: 'kuruluş',
  'metering point': 'ölçüm noktası',
  claim: 'kayıt kodu',
  authority: 'sertifika makamı',
  'market account': 'piyasa hesabı',
  'API key': 'API anahtarı',
  'OpenID link': 'OpenID bağlantısı',
  provider: 'sağlayıcı',
  'one-time passwords': 'tek kullanımlık parolalar',
})

/** The texts of errors that every area has. */
export const ERROR_TEXTS = messages({
  MESSAGES_JOINED: { en: '{first}; {next}', tr: '{first}; {next}' },
  RECORD_NOT_FOUND: { en: '{what} not found', tr: 'kayıt bulunamadı: {what:word}' },
  REFERENCE_NOT_FOUND: {
    en: '{field} does not refer to an existing record',
    tr: '{field} var olan bir kaydı göstermiyor',
  },
  TOKEN_NEEDED: { en: 'a valid access token is needed', tr: 'geçerli bir erişim jetonu gerekli' },
  TOKEN_INVALID: { en: 'the token is not valid', tr: 'jeton geçerli değil' },
  TOKEN_EXPIRED: { en: 'the token has expired', tr: 'jetonun süresi doldu' },
  TOTP_NEEDED: {
    en: 'your tenant requires one-time passwords: set them up first',
    tr: 'kiracınız tek kullanımlık parola gerektiriyor: önce kurun',
  },
  API_KEY_NOT_ALLOWED: {
    en: 'this operation is not open to API keys: sign in',
    tr: 'bu işlem API anahtarlarına kapalıdır: oturum açın',
  },
  SUPERUSER_NEEDED: {
    en: 'only a superuser may do this',
    tr: 'bunu yalnızca sistem yöneticisi yapabilir',
  },
  PERMISSION_NEEDED: { en: 'the permission {permission} is needed', tr: '{permission} yetkisi gerekli' },
  TOO_MANY_REQUESTS: {
    en: 'too many requests; wait as Retry-After says',
    tr: 'çok fazla istek; Retry-After süresince bekleyin',
  },
  JSON_INVALID: { en: 'the request is not valid JSON', tr: 'istek geçerli bir JSON değil' },
  BODY_TOO_LARGE: { en: 'the request body is too large', tr: 'istek gövdesi çok büyük' },
  CONTENT_TYPE_UNSUPPORTED: {
    en: 'the content type is not supported; send application/json',
    tr: 'içerik türü desteklenmiyor; application/json gönderin',
  },
  DATABASE_UNREACHABLE: {
    en: 'the database is out of reach; try again',
    tr: 'veritabanına ulaşılamıyor; yeniden deneyin',
  },
  TRANSACTION_CONFLICT: {
    en: 'other work on the same records was in the way; try again',
    tr: 'aynı kayıtlarda başka bir işlem sürüyordu; yeniden deneyin',
  },
  UNEXPECTED_ERROR: { en: 'unexpected server error', tr: 'beklenmeyen sunucu hatası' },
  RECORD_CHANGED: {
    en: 'the record has changed since it was read; read it again',
    tr: 'kayıt okunduktan sonra değişti; yeniden okuyun',
  },
  RECORD_IN_USE: {
    en: 'the {what} is still in use ({table})',
    tr: '{what:word} hâlâ kullanılıyor ({table})',
  },
  STORAGE_FULL: {
    en: 'the disk of the service is nearly full; tell its operator',
    tr: 'hizmetin diski dolmak üzere; sistem yöneticisine bildirin',
  },
  STORAGE_LOCKED: {
    en: 'the service may not write to its folder for files; tell its operator',
    tr: 'hizmet dosya klasörüne yazamıyor; sistem yöneticisine bildirin',
  },
  TABLE_READERS_BUSY: {
    en: 'many files are being read; try again',
    tr: 'çok sayıda dosya okunuyor; yeniden deneyin',
  },
  NAME_NOT_ONE_LINE: {
    en: 'must be a single line without control or formatting characters',
    tr: 'denetim ya da biçim karakteri içermeyen tek bir satır olmalı',
  },
  NAME_HAS_LINK: {
    en: 'must not contain a URL or an e-mail address',
    tr: 'URL ya da e-posta adresi içermemeli',
  },
})

/** One message of several, whose texts are separated by semicolons. The list has at least one entry. */
export const joinMessages = (all: readonly Message[]): Message =>
  all.reduce((first, next) => ERROR_TEXTS.MESSAGES_JOINED({ first, next }))
