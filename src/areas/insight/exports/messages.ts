import { messages } from '../../../kernel/messages.ts'

export const EXPORT_TEXTS = messages({
  EXPORT_FILE_GONE: {
    en: 'the file is gone; ask for the export again',
    tr: 'dosya artık yok; dışa aktarımı yeniden isteyin',
  },
  EXPORT_FILE_ELSEWHERE: {
    en: 'the file lies with another process of the service; ask for the export again',
    tr: 'dosya hizmetin başka bir sürecinde; dışa aktarımı yeniden isteyin',
  },
  DIRECT_EXPORTS_OF_TENANT: {
    en: '{count} files are being sent already; wait for one to end',
    tr: 'şu anda {count} dosya gönderiliyor; birinin bitmesini bekleyin',
  },
  DIRECT_EXPORTS_BUSY: {
    en: 'too many files are being made; try again',
    tr: 'çok sayıda dosya hazırlanıyor; yeniden deneyin',
  },
  EXPORT_DEVICE_UNKNOWN: {
    en: 'device_ids does not refer to an existing record: {id}',
    tr: 'device_ids var olan bir kaydı göstermiyor: {id}',
  },
  EXPORTS_WAITING: {
    en: '{max} exports wait or run already; wait for one to end, or delete one',
    tr: '{max} dışa aktarım zaten bekliyor ya da çalışıyor; birinin bitmesini bekleyin veya birini silin',
  },
  EXPORT_WITHOUT_FILE: {
    en: 'the export is {status}: there is no file',
    tr: 'dışa aktarımın durumu {status:word}: dosya yok',
  },
  EXPORT_END_BEFORE_START: { en: 'must be later than start', tr: 'start değerinden sonra olmalı' },
  EXPORT_RAW_TOO_LONG: {
    en: 'at most {days} days of raw values can be asked for at once',
    tr: 'bir kerede en çok {days} günlük ham değer istenebilir',
  },
  EXPORT_METRIC_NOT_HOURLY: {
    en: 'is not kept by the hour; raw has every metric, the other intervals {metrics}',
    tr: 'saatlik olarak saklanmaz; raw tüm metrikleri, diğer aralıklar şunları içerir: {metrics}',
  },
})

/** Why an export failed. */
export const EXPORT_FAILURES = messages({
  EXPORT_PROCESS_STOPPED_TWICE: {
    en: 'the service stopped while this export was being made, twice; ask for it again',
    tr: 'hizmet bu dışa aktarım hazırlanırken iki kez durdu; yeniden isteyin',
  },
  EXPORT_PROCESS_GONE: {
    en: 'the process that was to make this export has not come back; ask for it again',
    tr: 'bu dışa aktarımı hazırlayacak süreç geri gelmedi; yeniden isteyin',
  },
  EXPORT_FILE_TOO_LARGE: {
    en: 'the file is larger than {max_gib} GiB; ask for fewer devices or a shorter range',
    tr: "dosya {max_gib} GiB'tan büyük; daha az cihaz ya da daha kısa bir aralık isteyin",
  },
  EXPORT_TOO_MANY_ROWS: {
    en: 'there are more than {max} rows; ask for fewer devices or a shorter range',
    tr: 'satır sayısı {max:number} sınırını aşıyor; daha az cihaz ya da daha kısa bir aralık isteyin',
  },
  EXPORT_DISK_FULL: {
    en: 'the disk of the service is nearly full; delete exports, or tell its operator',
    tr: 'hizmetin diski dolmak üzere; dışa aktarımları silin ya da işletmecisine bildirin',
  },
  EXPORT_FOLDER_LOCKED: {
    en: 'the service may not write to its folder for exports; its operator must make the folder writable',
    tr: 'hizmet dışa aktarım klasörüne yazamıyor; işletmecisi klasörü yazılabilir yapmalı',
  },
  EXPORT_NOT_MADE: {
    en: 'the file could not be made: {reason}',
    tr: 'dosya hazırlanamadı: {reason}',
  },
})
