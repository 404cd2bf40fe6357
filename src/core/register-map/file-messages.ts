import { messages } from '../../kernel/messages.ts'

/** Faults of a register map as a table. */
export const CSV_FAULTS = messages({
  MAP_CSV_QUOTE_OPEN: {
    en: 'a quoted cell of the CSV is not closed',
    tr: "CSV'de tırnak içindeki bir hücre kapatılmamış",
  },
  MAP_CSV_NO_HEADER: {
    en: 'has no row with the names of the attributes: key, metric, address …',
    tr: 'alan adlarının bulunduğu satır yok: key, metric, address …',
  },
  MAP_CSV_NAME_UNKNOWN: { en: '#{name} is not known', tr: '#{name} bilinmiyor' },
  MAP_CSV_COLUMN_TWICE: { en: 'is the name of two columns', tr: 'iki sütunun adı' },
  MAP_CSV_COLUMN_UNKNOWN: { en: 'is no attribute of a register', tr: 'yazmaç alanlarından biri değil' },
  MAP_CSV_CELL_EXTRA: { en: 'has a cell too many: {cell}', tr: 'fazladan bir hücre var: {cell}' },
  MAP_CSV_NOT_JSON: { en: 'must be JSON', tr: 'JSON olmalı' },
  MAP_CSV_NOT_UTF8: {
    en: 'must be text in UTF-8: save it as "CSV UTF-8"',
    tr: 'UTF-8 metin olmalı: dosyayı "CSV UTF-8" olarak kaydedin',
  },
})

/** Faults of the input of an importer. */
export const IMPORT_FAULTS = messages({
  MAP_SUNSPEC_NOT_MODEL: {
    en: 'is no SunSpec model: it has no id and group',
    tr: 'SunSpec modeli değil: id ve group alanları yok',
  },
  MAP_SUNSPEC_EMPTY: { en: 'holds no SunSpec model', tr: 'SunSpec modeli içermiyor' },
  MAP_EXPOSES_FORM: { en: 'must be a list of at most {max}', tr: 'en çok {max} öğe içeren bir liste olmalı' },
})

/** Remarks on the valid entries of an imported or uploaded map. */
export const MAP_NOTES = messages({
  MAP_NOTE_GROUP_REPEATS: {
    en: 'the group {group} of model {model} repeats as the device says and is left out',
    tr: '{model} modelinin {group} grubu cihazın bildirdiği sayıda yinelenir; dışarıda bırakıldı',
  },
  MAP_NOTE_TYPE_LEFT_OUT: {
    en: '{property} is a {type} and is left out',
    tr: '{property} {type} türünde; dışarıda bırakıldı',
  },
  MAP_NOTE_PERIODIC: {
    en: 'begins anew each period, so it is no counter, and is left out',
    tr: 'her dönemde yeniden başladığından sayaç değil; dışarıda bırakıldı',
  },
  MAP_NOTE_UNIT_TAKEN: {
    en: '{unit} is taken for the unit of {metric}',
    tr: '{unit}, {metric} değerinin birimi sayıldı',
  },
  MAP_NOTE_INTERVAL: {
    en:
      'is an interval_delta: hourly facts are not built from it. Where the device also has a running ' +
      'total, map that one as cumulative_counter; else let the gateway add the ' +
      'deltas up and send the sum',
    tr:
      'interval_delta türünde: saatlik değerler bundan hesaplanmaz. Cihazda artan bir ' +
      'toplam da varsa onu cumulative_counter olarak eşleyin; yoksa ağ geçidi ' +
      'farkları toplayıp toplamı göndersin',
  },
})

/** Faults of golden frames. */
export const FRAME_FAULTS = messages({
  MAP_TEST_FORM: {
    en: 'a test has either a frame or a message',
    tr: 'bir testte ya frame ya da message bulunmalı',
  },
  MAP_TEST_KEY_UNKNOWN: { en: 'is no register of this map', tr: 'bu haritada bir yazmaç değil' },
  MAP_TEST_DIFFERS: {
    en: 'expected {expected}, got {actual}',
    tr: 'beklenen {expected}, bulunan {actual}',
  },
  MAP_TEST_REGISTERS_FORM: {
    en: 'must be such as 72+2 or 3:72+2',
    tr: '72+2 ya da 3:72+2 biçiminde olmalı',
  },
  MAP_TEST_RANGES: {
    en: 'must name one range for each frame',
    tr: 'her çerçeve için bir adres aralığı içermeli',
  },
  MAP_FRAME_HALF_BYTE: { en: 'has half a byte', tr: 'yarım bayt içeriyor' },
  MAP_FRAME_SIZE: {
    en: 'has {bytes} bytes, which is no answer of {count} registers, neither bare nor RTU nor TCP',
    tr: '{bytes} bayt içeriyor; bu, {count} yazmaçlık bir yanıt değil (yalın, RTU ya da TCP)',
  },
  MAP_FRAME_FUNCTION: {
    en: 'read as {format}, it is of function {actual}, not {expected}',
    tr: '{format} olarak okunduğunda fonksiyonu {actual}; beklenen {expected}',
  },
  MAP_FRAME_LENGTH: {
    en: 'read as {format}, it tells of {actual} bytes, not {expected}',
    tr: '{format} olarak okunduğunda bildirdiği uzunluk {actual} bayt; beklenen {expected}',
  },
  MAP_FRAME_TCP_HEADER: {
    en: 'read as TCP, its header is wrong',
    tr: 'TCP olarak okunduğunda başlığı yanlış',
  },
  MAP_FRAME_CHECKSUM: {
    en: 'read as RTU, its checksum is wrong',
    tr: 'RTU olarak okunduğunda sağlama toplamı (CRC) yanlış',
  },
  MAP_FORMAT_BARE: { en: 'bare registers', tr: 'yalın yazmaçlar' },
  MAP_FORMAT_DATA: { en: 'function and data', tr: 'fonksiyon ve veri' },
  MAP_FORMAT_RTU_OPEN: { en: 'RTU without its checksum', tr: 'sağlama toplamı olmayan RTU' },
  MAP_FORMAT_RTU: { en: 'RTU', tr: 'RTU' },
  MAP_FORMAT_TCP: { en: 'TCP', tr: 'TCP' },
})
