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
