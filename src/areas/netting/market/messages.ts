import { messages } from '../../../kernel/messages.ts'

/** The errors and alarms of the market platform; the detail of an alarm is one of `PLATFORM_TEXTS`. */
export const MARKET_TEXTS = messages({
  MARKET_NOT_WHITELISTED: {
    en: 'market platform, account {account}: {detail}',
    tr: 'piyasa platformu, {account} hesabı: servisin adresi platformda tanımlı değil ({detail})',
  },
  MARKET_AUTH_FAILED: {
    en: 'market platform, account {account}: {detail}',
    tr: 'piyasa platformu, {account} hesabı: oturum açılamadı ({detail})',
  },
  MARKET_SUBSCRIPTION_MISSING: {
    en: 'market platform, account {account}: {detail}',
    tr: 'piyasa platformu, {account} hesabı: abonelik yok ya da anahtarı yanlış ({detail})',
  },
  MARKET_FETCH_FAILED: {
    en: 'market platform, account {account}: {detail}',
    tr: 'piyasa platformu, {account} hesabı: fiyatlar alınamadı ({detail})',
  },
  WHITELIST_TRANSITION: {
    en: 'an account cannot go from {from} to {to}; from there it may go to {allowed}',
    tr: 'hesabın durumu değiştirilemez: {from} → {to}; izin verilen: {allowed}',
  },
  END_PRICES_FETCHED: { en: 'prices were fetched', tr: 'fiyatlar alındı' },
  END_ACCOUNT_ACCEPTED: { en: 'the platform accepts the account', tr: 'platform hesabı kabul ediyor' },
  END_PLATFORM_REACHED: { en: 'the platform was reached', tr: 'platforma ulaşıldı' },
  END_PRICES_NOT_PULLED: { en: 'prices are not pulled: {reason}', tr: 'fiyatlar çekilmiyor ({reason})' },
})

/** Results of a call of the market platform. They quote nothing that the platform sends. */
export const PLATFORM_TEXTS = messages({
  PLATFORM_SUBSCRIPTION: {
    en: 'the platform answers {status}: the subscription is missing, or its key is wrong',
    tr: 'platform {status} yanıtı veriyor: abonelik yok ya da anahtarı yanlış',
  },
  PLATFORM_ADDRESS: {
    en: 'the platform answers {status}: it does not know the address of this service',
    tr: 'platform {status} yanıtı veriyor: bu hizmetin adresini tanımıyor',
  },
  PLATFORM_LOGIN_REFUSED: {
    en: 'the login is refused ({status}): user name or password is wrong',
    tr: 'oturum açma reddedildi ({status}): kullanıcı adı ya da parola yanlış',
  },
  PLATFORM_TICKET_REFUSED: {
    en: 'the platform refuses a fresh ticket ({status}): the account may not use the service',
    tr: 'platform yeni bir oturum biletini reddediyor ({status}): hesabın servisi kullanma yetkisi yok',
  },
  PLATFORM_NO_TICKET: {
    en: 'the platform answers {status} and gives no ticket',
    tr: 'platform {status} yanıtı veriyor ve oturum bileti göndermiyor',
  },
  PLATFORM_NO_PRICES: {
    en: 'the platform answers {status} and gives no prices',
    tr: 'platform {status} yanıtı veriyor ve fiyat göndermiyor',
  },
  PLATFORM_NO_CONTENT: {
    en: 'the platform answers {status} and gives nothing',
    tr: 'platform {status} yanıtı veriyor ve içerik göndermiyor',
  },
  PLATFORM_CONNECTION_REFUSED: {
    en: 'the connection is refused ({step})',
    tr: 'bağlantı reddediliyor ({step})',
  },
  PLATFORM_TIMEOUT: { en: 'no answer came in time ({step})', tr: 'yanıt süresi içinde gelmedi ({step})' },
  PLATFORM_ANSWER_CUT: { en: 'the answer was cut off ({step})', tr: 'yanıt yarıda kesildi ({step})' },
  PLATFORM_ANSWER_TOO_LARGE: {
    en: 'the answer is larger than any answer should be ({step})',
    tr: 'yanıt olması gerekenden büyük ({step})',
  },
  PLATFORM_UNREACHABLE: {
    en: 'the address cannot be reached ({step})',
    tr: 'adrese ulaşılamıyor ({step})',
  },
  PLATFORM_ITEM_NO_OBJECT: {
    en: 'item {item} of the answer is no object',
    tr: 'yanıtın {item}. ögesi bir nesne değil',
  },
  PLATFORM_ITEM_HOUR: {
    en: 'item {item} of the answer has no hour, or two',
    tr: 'yanıtın {item}. ögesinde saat yok ya da iki saat var',
  },
  PLATFORM_ITEM_FIELD: {
    en: 'item {item} of the answer has no {fields}',
    tr: 'yanıtın {item}. ögesinde {fields} alanı yok',
  },
  PLATFORM_ITEM_PRICE: {
    en: 'item {item} of the answer has a price that is no decimal',
    tr: 'yanıtın {item}. ögesindeki fiyat ondalık sayı değil',
  },
  PLATFORM_ITEM_REPEATED: {
    en: 'item {item} of the answer repeats an hour with another price',
    tr: 'yanıtın {item}. ögesi bir saati başka bir fiyatla yineliyor',
  },
  PLATFORM_NO_JSON: { en: 'the answer is no JSON', tr: 'yanıt JSON değil' },
  PLATFORM_NO_ITEMS: { en: 'the answer has no items', tr: 'yanıtta öge yok' },
  PLATFORM_CREDENTIALS_MISSING: {
    en: 'the account has no user name or no password',
    tr: 'hesabın kullanıcı adı ya da parolası yok',
  },
  PLATFORM_PRICES_READ: {
    en: 'the platform answered with {count} prices of {day}',
    tr: 'platform {day:date} günü için {count} fiyat gönderdi',
  },
  PLATFORM_NO_ACCOUNT: {
    en: 'no account is active and has passed its test-call (whitelist_status active, then POST …/test-call)',
    tr: 'etkin olan ve deneme çağrısını geçen bir hesap yok (whitelist_status active, ardından POST …/test-call)',
  },
  PLATFORM_DISABLED: { en: 'MARKETOP_ENABLED is false', tr: 'MARKETOP_ENABLED ayarı false' },
  PLATFORM_CALL_FAILED: {
    en: 'the call failed; the log of the service says why',
    tr: 'çağrı başarısız oldu; nedeni hizmetin günlüğünde yazılı',
  },
})
