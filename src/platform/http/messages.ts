import { messages } from '../../kernel/messages.ts'

export const HTTP_TEXTS = messages({
  PARAMETERS_NOT_VALID: {
    en: 'the parameters of the request are not valid: {faults}',
    tr: 'isteğin parametreleri geçerli değil: {faults}',
  },
  REQUEST_NOT_VALID: { en: 'the request is not valid', tr: 'istek geçerli değil' },
  IDEMPOTENCY_OUTCOME_UNKNOWN: {
    en: 'the first request with this Idempotency-Key was carried out, wholly or in part, but broke off before its answer was kept; look at the data, then use a new key',
    tr: 'bu Idempotency-Key ile gönderilen ilk istek tümüyle ya da kısmen işlendi, ancak yanıtı saklanmadan kesildi; verilere bakın, ardından yeni bir anahtar kullanın',
  },
  REQUEST_CUT_OFF: { en: 'the request was cut off', tr: 'istek yarıda kesildi' },
  ENDPOINT_UNKNOWN: { en: 'no such endpoint', tr: 'böyle bir uç nokta yok' },
  IDEMPOTENCY_KEY_SYNTAX: {
    en: 'must be 1 to {max} visible ASCII characters',
    tr: '1 ile {max} arasında görünür ASCII karakterden oluşmalı',
  },
  IDEMPOTENCY_KEY_BUSY: {
    en: 'a request with this Idempotency-Key is not finished yet',
    tr: 'bu Idempotency-Key ile gönderilen bir istek henüz bitmedi',
  },
  IDEMPOTENCY_KEY_OTHER_REQUEST: {
    en: 'this Idempotency-Key was used for another request; use a new key',
    tr: 'bu Idempotency-Key başka bir istek için kullanıldı; yeni bir anahtar kullanın',
  },
  IF_MATCH_SYNTAX: {
    en: 'must be * or a list of entity tags in double quotes',
    tr: '* ya da çift tırnak içinde ETag listesi olmalı',
  },
  BROKER_SECRET_NEEDED: {
    en: 'the secret of BROKER_WEBHOOK_SECRET is needed',
    tr: 'BROKER_WEBHOOK_SECRET ayarının gizli değeri gerekli',
  },
  FILE_RANGE_OUTSIDE: { en: 'the file has {bytes} bytes', tr: 'dosya {bytes:number} bayttır' },
  UPLOAD_BYTES_EXCEEDED: {
    en: 'a file may have {max} bytes at most',
    tr: 'bir dosya en çok {max:number} bayt olabilir',
  },
  UPLOAD_WITHOUT_FILE: { en: 'the form has no file', tr: 'formda dosya yok' },
  UPLOAD_FILE_TOO_LARGE: {
    en: 'the file is larger than the {max} bytes that it may have',
    tr: 'dosya izin verilen {max:number} bayttan büyük',
  },
  UPLOAD_NOT_MULTIPART: {
    en: 'send multipart/form-data with the file in the field "file"',
    tr: 'dosyayı "file" alanında multipart/form-data olarak gönderin',
  },
  UPLOAD_TEXT_TOO_LONG: { en: 'the text is too long', tr: 'metin çok uzun' },
  TEXT_HAS_NUL: { en: 'text must not contain the NUL character', tr: 'metin NUL karakterini içermemeli' },
  UPLOAD_ONE_FILE: {
    en: 'the form cannot be read, or has more than one file',
    tr: 'form okunamıyor ya da birden çok dosya içeriyor',
  },
  UPLOAD_MIB_EXCEEDED: {
    en: 'the file is larger than {max} MiB',
    tr: 'dosya {max:number} MiB sınırından büyük',
  },
  UPLOAD_FORM_NOT_ACCEPTED: {
    en: 'the form cannot be read, or has more files than are accepted',
    tr: 'form okunamıyor ya da izin verilenden çok dosya içeriyor',
  },
  JSON_NESTED_TOO_DEEP: {
    en: 'must not be nested more than {max} levels deep',
    tr: 'en çok {max} düzey iç içe olabilir',
  },
  TEXT_HAS_LONE_SURROGATE: {
    en: 'text must not contain half a character (a surrogate without its other half)',
    tr: 'metin yarım karakter (eşi olmayan bir surrogate) içermemeli',
  },
  JSON_NUMBER_TOO_LARGE: {
    en: 'must not contain a number beyond 1.8e308',
    tr: '1,8e308 değerini aşan bir sayı içermemeli',
  },
  JSON_TOO_LONG: {
    en: 'must not take more than {max} bytes as JSON',
    tr: 'JSON olarak en çok {max:number} bayt tutabilir',
  },
})
