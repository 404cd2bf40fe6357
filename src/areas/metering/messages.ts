import { declareWords, messages } from '../../kernel/messages.ts'

declareWords({
  hourly: 'saatlik',
  daily: 'günlük',
  weekly: 'haftalık',
  monthly: 'aylık',
})

export const METERING_TEXTS = messages({
  MONTH_SEALED: {
    en: 'the month {month} is sealed, because its data is older than {days} days; an operator opens it with "netsaat storage unseal {month}", then the request can be repeated',
    tr: 'verileri {days} günden eski olduğu için {month} ayı mühürlü; sistem yöneticisi ayı "netsaat storage unseal {month}" ile açar, ardından istek yinelenebilir',
  },
  LIVE_TICKETS_TOO_MANY: {
    en: 'there are {max} unused tickets for live sockets; a ticket can be used for {seconds} seconds',
    tr: 'canlı bağlantı için kullanılmamış {max} bilet var; bir bilet {seconds} saniye kullanılabilir',
  },
  SAMPLES_DEVICE_UNKNOWN: {
    en: 'does not refer to an existing device',
    tr: 'var olan bir cihazı göstermiyor',
  },
  SAMPLES_NOT_VALID: { en: 'the request is not valid', tr: 'istek geçerli değil' },
  SAMPLES_PROPERTY_MISSING: { en: "must have required property '{name}'", tr: 'zorunlu alan eksik: {name}' },
  SAMPLES_OBJECT: { en: 'must be object', tr: 'türü şu olmalı: nesne' },
  SAMPLES_ARRAY: { en: 'must be array', tr: 'türü şu olmalı: liste' },
  SAMPLES_STRING: { en: 'must be string', tr: 'türü şu olmalı: metin' },
  SAMPLES_NUMBER: { en: 'must be number', tr: 'türü şu olmalı: sayı' },
  SAMPLES_FINITE: { en: 'must be a finite number', tr: 'sonlu bir sayı olmalı' },
  SAMPLES_EMPTY: { en: 'must NOT have fewer than 1 items', tr: 'en az 1 öğe içermeli' },
  SAMPLES_TOO_MANY: { en: 'must NOT have more than {max} items', tr: 'en çok {max} öğe içerebilir' },
  SAMPLES_UUID: { en: 'must match format "uuid"', tr: 'biçimi şu olmalı: bir UUID' },
  SAMPLES_TIME: { en: 'must match format "date-time"', tr: 'biçimi şu olmalı: tarih ve saat (ISO 8601)' },
  SAMPLES_MAXIMUM: { en: 'must be <= {max}', tr: 'en çok {max} olmalı' },
  SAMPLES_MINIMUM: { en: 'must be >= {min}', tr: 'en az {min} olmalı' },
  SAMPLES_METRIC_NAME: {
    en: 'must be named in 1 to {max} characters',
    tr: 'adı 1 ile {max} karakter arasında olmalı',
  },
  SAMPLES_NO_VALUE: { en: 'must NOT have fewer than 1 properties', tr: 'en az 1 alan içermeli' },
  SAMPLES_TOO_MANY_VALUES: {
    en: 'must NOT have more than {max} properties',
    tr: 'en çok {max} alan içerebilir',
  },
  SAMPLES_NOT_STORED_IN_TIME: {
    en: 'the samples could not be stored in time; send them again',
    tr: 'ölçümler zamanında kaydedilemedi; yeniden gönderin',
  },
  LATEST_DEVICE_IDS: {
    en: 'must be ids of devices, separated by commas',
    tr: 'virgülle ayrılmış cihaz kimlikleri olmalı',
  },
  LATEST_TOO_MANY_DEVICES: { en: 'must be at most {max} ids', tr: 'en çok {max} kimlik olabilir' },
  LATEST_TOO_MANY_METRICS: { en: 'must be at most {max} names', tr: 'en çok {max} ad olabilir' },
  RANGE_END_BEFORE_START: { en: 'must be later than start', tr: 'start değerinden sonra olmalı' },
  AGGREGATE_RANGE_TOO_LONG: {
    en: 'at most {days} days of {interval} values can be asked for at once',
    tr: 'bir kerede en çok {days} günlük {interval:word} değer istenebilir',
  },
  HOURS_TOO_MANY: {
    en: 'a response has at most {max} hours of all devices; for this range the limit is at most {limit}',
    tr: 'bir yanıtta tüm cihazların toplam en çok {max} saati olabilir; bu aralık için sınır en çok {limit}',
  },
  RANGE_BEFORE_1900: { en: 'must not lie before 1900', tr: '1900 yılından önce olamaz' },
  RANGE_AFTER_2999: { en: 'must not lie after 2999', tr: '2999 yılından sonra olamaz' },
  DEVICE_OR_SUBREGION: {
    en: 'give either device_id or subregion_id',
    tr: 'device_id ya da subregion_id alanlarından yalnızca birini verin',
  },
  RANGE_TO_BEFORE_FROM: { en: 'must be later than from', tr: 'from değerinden sonra olmalı' },
})
