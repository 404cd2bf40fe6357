import { declareWords, messages } from '../../../kernel/messages.ts'

declareWords({
  queued: 'kuyrukta',
  notified: 'bildirildi',
  downloading: 'indiriliyor',
  downloaded: 'indirildi',
  verifying: 'doğrulanıyor',
  installing: 'kuruluyor',
  installed: 'kuruldu',
  failed: 'başarısız',
  cancelled: 'iptal edildi',
  running: 'sürüyor',
  completed: 'tamamlandı',
  stopped: 'durduruldu',
})

export const OTA_TEXTS = messages({
  OTA_TARGET_WITHOUT_MODEL: {
    en: 'the firmware is for {device_model}; the {kind} {name} has no model',
    tr: 'yazılım {device_model} modeli içindir; {name} ({kind:word}) için model belirtilmemiş',
  },
  OTA_TARGET_OTHER_MODEL: {
    en: 'the firmware is for {device_model}; the {kind} {name} is a {models}',
    tr: 'yazılım {device_model} modeli içindir; {name} ({kind:word}) modeli: {models}',
  },
  OTA_TARGET_WITHOUT_CHANNEL: {
    en: 'the {kind} {name} cannot be told: it is no charger, and no gateway of type mqtt speaks for it',
    tr: '{name} ({kind:word}) bilgilendirilemiyor: şarj istasyonu değil ve onun adına haberleşen mqtt türünde bir ağ geçidi yok',
  },
  OTA_NOT_CANCELLED: {
    en: 'the update is {status}: it cannot be cancelled',
    tr: 'güncellemenin durumu {status:word}: iptal edilemez',
  },
  OTA_NOT_RETRIED: {
    en: 'the update is {status}: it cannot be tried again',
    tr: 'güncellemenin durumu {status:word}: yeniden denenemez',
  },
  OTA_BATCH_WITHOUT_NEXT_WAVE: {
    en: 'the batch is {status}: it has no next wave',
    tr: 'paketin durumu {status:word}: sıradaki grubu yok',
  },
  OTA_BATCH_NOT_COMPLETED: {
    en: 'the batch is {status}: it cannot be completed',
    tr: 'paketin durumu {status:word}: tamamlanamaz',
  },
  OTA_BATCH_NOT_STOPPED: {
    en: 'the batch is {status}: it cannot be stopped',
    tr: 'paketin durumu {status:word}: durdurulamaz',
  },
  OTA_BATCH_NOT_CANCELLED: {
    en: 'the batch is {status}: it cannot be cancelled',
    tr: 'paketin durumu {status:word}: iptal edilemez',
  },
  OTA_BATCH_NOT_ROLLED_BACK: {
    en: 'the batch is {status}: it cannot be rolled back: cancel it first',
    tr: 'paketin durumu {status:word}: geri alınamaz, önce iptal edin',
  },
  OTA_BATCH_TOO_LARGE: {
    en: 'a batch has at most {max} updates',
    tr: 'bir pakette en çok {max} güncelleme olabilir',
  },
  OTA_BATCH_EMPTY: {
    en: 'the filter finds nothing that can be updated',
    tr: 'süzgeçle eşleşen, güncellenebilecek bir şey yok',
  },
  OTA_BATCH_BUSY: {
    en: '{count} of them have an update that is not finished: {name}',
    tr: '{count} tanesinin bitmemiş bir güncellemesi var: {name}',
  },
  OTA_IDS_OR_FILTER: {
    en: 'must have either ids or a filter',
    tr: 'kimlikler ya da filter alanlarından yalnızca biri verilmeli',
  },
  OTA_FIRMWARE_WITHDRAWN: {
    en: 'the firmware version is {status}: it is not installed any more',
    tr: 'yazılım sürümünün durumu {status:word}: artık kurulmuyor',
  },
  OTA_WITHOUT_BASE_URL: {
    en: 'PUBLIC_BASE_URL is not set, so a charging station cannot be told where its firmware is',
    tr: 'PUBLIC_BASE_URL ayarlı olmadığından şarj istasyonuna yazılımın adresi bildirilemiyor',
  },
  OTA_FIRMWARE_NOT_RELEASED: {
    en: 'the firmware version is {status}: only a released one is installed',
    tr: 'yazılım sürümünün durumu {status:word}: yalnızca yayımlanmış bir sürüm kurulur',
  },
  OTA_DEADLINE_RANGE: {
    en: 'must lie between a minute and 30 days from now',
    tr: 'şu andan itibaren bir dakika ile 30 gün arasında olmalı',
  },
  OTA_DEVICE_OR_GATEWAY: {
    en: 'must have either device_id or gateway_id',
    tr: 'device_id ya da gateway_id alanlarından yalnızca biri verilmeli',
  },
  OTA_CANCEL_FIRST: {
    en: 'the update is {status}: cancel it first',
    tr: 'güncellemenin durumu {status:word}: önce iptal edin',
  },
  OTA_NO_EARLIER_VERSION: {
    en: 'no version is known that the device could go back to',
    tr: 'cihazın dönebileceği bilinen bir sürüm yok',
  },
  OTA_ALREADY_OPEN: {
    en: 'the device has an update that is not finished: wait for it, or cancel it',
    tr: 'cihazın bitmemiş bir güncellemesi var: bitmesini bekleyin ya da iptal edin',
  },
})

/** Why an update failed or a batch stopped, and what the trail of an update says. */
export const OTA_REASONS = messages({
  OTA_ERROR_THRESHOLD: {
    en: '{failed} of {total} updates of the wave failed: the error threshold is {threshold} %',
    tr: 'gruptaki {total} güncellemeden {failed} tanesi başarısız oldu: hata eşiği %{threshold}',
  },
  OTA_SUCCESS_THRESHOLD: {
    en: '{succeeded} of {total} updates of the wave succeeded: the success threshold is {threshold} %',
    tr: 'gruptaki {total} güncellemeden {succeeded} tanesi başarılı oldu: başarı eşiği %{threshold}',
  },
  OTA_BATCH_CANCELLED: { en: 'the batch was cancelled', tr: 'paket iptal edildi' },
  OTA_STATION_REFUSED: {
    en: 'the charging station refused the update',
    tr: 'şarj istasyonu güncellemeyi reddetti',
  },
  OTA_COMMAND_FAILED: { en: '{reason}', tr: 'şarj istasyonu komutu başarısız oldu: {reason}' },
  OTA_DOWNLOAD_FAILED: { en: 'the download failed', tr: 'indirme başarısız oldu' },
  OTA_SIGNATURE_REFUSED: {
    en: 'the charging station did not accept the signature',
    tr: 'şarj istasyonu imzayı kabul etmedi',
  },
  OTA_INSTALLATION_NOT_VERIFIED: {
    en: 'the station could not verify the installation',
    tr: 'istasyon kurulumu doğrulayamadı',
  },
  OTA_INSTALLATION_FAILED: { en: 'the installation failed', tr: 'kurulum başarısız oldu' },
  OTA_DEVICE_REASON: { en: '{text}', tr: 'cihazın bildirdiği neden: {text}' },
  OTA_DEVICE_WITHOUT_REASON: { en: 'the device gives no reason', tr: 'cihaz neden bildirmedi' },
  OTA_OTHER_FILE: {
    en: 'the device has a file with the SHA-256 {sha256}',
    tr: 'cihazdaki dosyanın SHA-256 değeri farklı: {sha256}',
  },
  OTA_OTHER_VERSION: {
    en: 'the device runs {version} after the installation',
    tr: 'cihaz kurulumdan sonra {version} sürümüyle çalışıyor',
  },
  OTA_NOT_NOTIFIED_IN_TIME: {
    en: 'the device could not be notified in time',
    tr: 'cihaza süresi içinde bildirilemedi',
  },
  OTA_NO_ANSWER_IN_TIME: {
    en: 'the device did not answer in time',
    tr: 'cihaz süresi içinde yanıt vermedi',
  },
  OTA_DOWNLOAD_NOT_IN_TIME: {
    en: 'the device did not finish the download in time',
    tr: 'cihaz indirmeyi süresi içinde bitirmedi',
  },
  OTA_INSTALLATION_NOT_BEGUN: {
    en: 'the device did not begin to install in time',
    tr: 'cihaz kuruluma süresi içinde başlamadı',
  },
  OTA_INSTALLATION_NOT_IN_TIME: {
    en: 'the device did not finish the installation in time',
    tr: 'cihaz kurulumu süresi içinde bitirmedi',
  },
})
