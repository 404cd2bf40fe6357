import { messages } from '../../../../src/kernel/messages.ts'

export const METER_DATA_TEXTS = messages({
  METER_DATA: { en: 'Import the readings of one meter', tr: 'Tek bir sayacın okumalarını içe aktar' },
  METER_DATA_NOTE: {
    en: 'A CSV file or workbook of register readings, or of energy by interval, from any program. The readings of an OSOS installation are official; those of a facility are declared by the customer. Nothing is stored while a row has an error.',
    tr: 'Herhangi bir programdan alınan endeks okumaları ya da aralık enerjileri (CSV ya da çalışma kitabı). OSOS tesisatının okumaları resmîdir; tesisinkiler müşteri beyanıdır. Bir satır hatalıyken hiçbir şey saklanmaz.',
  },
  METER_DATA_SEND: { en: 'Import the file', tr: 'Dosyayı içe aktar' },
  METER_DATA_CHECK: { en: 'Check the file only', tr: 'Dosyayı yalnızca denetle' },
  METER_DATA_STORED: {
    en: '{read} rows, {hours} hours: {accepted} new, {corrected} corrected, {unchanged} unchanged, {suspect} suspect; {missing} hours without a value.',
    tr: '{read} satır, {hours} saat: {accepted} yeni, {corrected} düzeltilmiş, {unchanged} değişmemiş, {suspect} şüpheli; {missing} saat değersiz.',
  },
  METER_DATA_CHECKED: { en: 'Nothing was stored.', tr: 'Hiçbir şey saklanmadı.' },
  METER_DATA_ERRORS: {
    en: '{count} {count?row:rows} with errors; nothing was stored.',
    tr: '{count} hatalı satır var; hiçbir şey saklanmadı.',
  },
  METER_DATA_WORKBOOK: {
    en: 'Correct the rows in the workbook and import it again.',
    tr: 'Satırları çalışma kitabında düzeltip yeniden içe aktarın.',
  },
  METER_DATA_GAPS: { en: 'Hours without a value', tr: 'Değeri olmayan saatler' },
  METER_DATA_COUNT: { en: 'Hours', tr: 'Saat' },
  METER_DATA_installation_id: { en: 'Installation', tr: 'Tesisat' },
  METER_DATA_facility_id: { en: 'or facility (declared meter)', tr: 'ya da tesis (beyan edilen sayaç)' },
  METER_DATA_value_kind: { en: 'Kind of values', tr: 'Değerlerin türü' },
  METER_DATA_interval_minutes: { en: 'Interval, minutes', tr: 'Aralık, dk' },
  METER_DATA_utc_offset: { en: 'Offset from UTC, such as +03:00', tr: 'UTC farkı, örneğin +03:00' },
  METER_DATA_decimal_mark: { en: 'Decimal mark', tr: 'Ondalık ayırıcı' },
  METER_DATA_columns: { en: 'Headers that are not known', tr: 'Bilinmeyen başlıklar' },
  METER_DATA_HEADER_date: { en: 'Header of the date', tr: 'Tarihin başlığı' },
  METER_DATA_HEADER_time: { en: 'Header of the time', tr: 'Saatin başlığı' },
  METER_DATA_HEADER_import: { en: 'Header of the import', tr: 'Çekişin başlığı' },
  METER_DATA_HEADER_export: { en: 'Header of the export', tr: 'Verişin başlığı' },
  METER_DATA_HEADER_value: { en: 'Header of the value', tr: 'Değerin başlığı' },
  METER_DATA_VALUE_register: { en: 'register readings', tr: 'endeks okumaları' },
  METER_DATA_VALUE_interval: { en: 'energy of each interval', tr: 'her aralığın enerjisi' },
  METER_DATA_VALUE_hour_ending: { en: 'the time is the end', tr: 'zaman, aralığın sonudur' },
  METER_DATA_VALUE_hour_starting: { en: 'the time is the start', tr: 'zaman, aralığın başıdır' },
  METER_DATA_VALUE_comma: { en: 'comma', tr: 'virgül' },
  METER_DATA_VALUE_point: { en: 'point', tr: 'nokta' },
})
