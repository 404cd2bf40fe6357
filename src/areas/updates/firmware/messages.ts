import { declareWords, messages } from '../../../kernel/messages.ts'

declareWords({
  draft: 'taslak',
  deprecated: 'kullanımdan kaldırıldı',
  changed: 'değiştirildi',
})

export const FIRMWARE_TEXTS = messages({
  FIRMWARE_LIMIT_REACHED: {
    en: 'a tenant has at most {max} firmware versions',
    tr: 'bir kiracıda en çok {max} yazılım sürümü olabilir',
  },
  FIRMWARE_FILE_OTHER: {
    en: 'the file is not the one that was uploaded; upload it again',
    tr: 'dosya, yüklenen dosya değil; yeniden yükleyin',
  },
  FIRMWARE_FILE_ELSEWHERE: {
    en: 'this process does not have the file: another one with a DATA_DIR of its own has',
    tr: 'dosya bu süreçte yok: kendi DATA_DIR klasörü olan başka bir süreçte',
  },
  FIRMWARE_VERSION_SYNTAX: {
    en: 'must be a semantic version such as 1.4.0 or 2.0.0-rc.1',
    tr: '1.4.0 ya da 2.0.0-rc.1 gibi anlamsal bir sürüm olmalı',
  },
  FIRMWARE_FILE_EMPTY: { en: 'the file is empty', tr: 'dosya boş' },
  SIGNATURE_NO_KEYS: {
    en: 'a signature cannot be checked: FIRMWARE_PUBLIC_KEYS names no key',
    tr: 'imza denetlenemiyor: FIRMWARE_PUBLIC_KEYS anahtar içermiyor',
  },
  SIGNATURE_SYNTAX: {
    en: 'the signature is not 64 bytes in base64',
    tr: 'imza, base64 biçiminde 64 bayt değil',
  },
  SIGNATURE_OF_OTHER_KEY: {
    en: 'the signature is of none of the keys, or of another file',
    tr: 'imza anahtarların hiçbirine ait değil ya da başka bir dosyanın',
  },
  SIGNATURE_NEEDED: {
    en: 'FIRMWARE_PUBLIC_KEYS is set: only a signed version can be released',
    tr: 'FIRMWARE_PUBLIC_KEYS ayarlı: yalnızca imzalı bir sürüm yayımlanabilir',
  },
  CERTIFICATE_NOT_READ: { en: 'the signing certificate cannot be read', tr: 'imza sertifikası okunamıyor' },
  CERTIFICATE_AND_SIGNATURE: {
    en: 'the signing certificate and its signature belong together',
    tr: 'imza sertifikası ile imzası birlikte verilmeli',
  },
  CERTIFICATE_KEY_KIND: {
    en: 'the key of the signing certificate is neither RSA nor ECDSA',
    tr: 'imza sertifikasının anahtarı ne RSA ne de ECDSA',
  },
  CERTIFICATE_SIGNATURE_OTHER: {
    en: 'the signature is of another file, or of another certificate',
    tr: 'imza başka bir dosyanın ya da başka bir sertifikanın',
  },
  FIRMWARE_NOT_CHANGED: {
    en: 'the firmware version is {status}: it cannot be {done}',
    tr: 'yazılım sürümünün durumu {status:word}: bu geçiş yapılamaz: {done:word}',
  },
  FIRMWARE_VERSION_EXISTS: {
    en: 'this model has a firmware of this version',
    tr: 'bu modelin bu sürümde bir yazılımı var',
  },
})
