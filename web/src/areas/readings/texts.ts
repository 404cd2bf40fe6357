import { messages } from '../../../../src/kernel/messages.ts'

export const READING_TEXTS = messages({
  READINGS: { en: 'Official readings', tr: 'Resmî okumalar' },
  READINGS_IMPORT: { en: 'Import readings', tr: 'Okumaları içe aktar' },
  READINGS_NOTE: {
    en: 'A CSV file or workbook of OSOS with one row per hour: date, hour, import, export. Without an installation each row names its own. Rows that are correct are stored at once; the others can be corrected here.',
    tr: 'Saat başına bir satır içeren OSOS CSV dosyası ya da çalışma kitabı: tarih, saat, çekiş, veriş. Tesisat seçilmezse her satır kendi tesisatını belirtir. Doğru satırlar hemen saklanır; ötekiler burada düzeltilebilir.',
  },
  READINGS_INSTALLATION: { en: 'Installation', tr: 'Tesisat' },
  READINGS_LABEL: { en: 'Hour labels', tr: 'Saat etiketleri' },
  READINGS_ENDING: { en: '01:00 is the hour until 01:00', tr: '01:00, saat 01:00’e kadar olan saattir' },
  READINGS_STARTING: { en: '01:00 is the hour from 01:00', tr: '01:00, saat 01:00’de başlayan saattir' },
  READINGS_MULTIPLIED: {
    en: 'The values are kWh (the multiplier is applied already)',
    tr: 'Değerler kWh (çarpan uygulanmış)',
  },
  READINGS_FILE: { en: 'File (CSV or XLSX)', tr: 'Dosya (CSV ya da XLSX)' },
  READINGS_PROGRESS: { en: 'Progress of the upload', tr: 'Yükleme ilerlemesi' },
  READINGS_PROCESSING: {
    en: 'The file has arrived and is being stored.',
    tr: 'Dosya ulaştı, saklanıyor.',
  },
  READINGS_OUTCOME: {
    en: '{read} rows read: {accepted} new, {corrected} corrected, {unchanged} unchanged, {suspect} suspect, {rejected} rejected; {facts} hourly values written.',
    tr: '{read} satır okundu: {accepted} yeni, {corrected} düzeltilmiş, {unchanged} değişmemiş, {suspect} şüpheli, {rejected} reddedilmiş; {facts} saatlik değer yazıldı.',
  },
  READINGS_IGNORED: { en: 'Columns that are not used: {names}', tr: 'Kullanılmayan sütunlar: {names}' },
  READINGS_SHORT_DAYS: {
    en: '{count} days have fewer than 24 hours.',
    tr: '{count} günde 24 saatten az okuma var.',
  },
  READINGS_ROWS: { en: 'Rows of the file', tr: 'Dosyanın satırları' },
  READINGS_ROW: { en: 'Row', tr: 'Satır' },
  READINGS_STATE: { en: 'Result', tr: 'Sonuç' },
  READINGS_REASON: { en: 'Reason', tr: 'Neden' },
  READINGS_WORKBOOK: {
    en: 'Correct the rejected rows in the workbook and import it again: rows that are stored stay unchanged.',
    tr: 'Reddedilen satırları çalışma kitabında düzeltip yeniden içe aktarın: saklanmış satırlar değişmez.',
  },
  READINGS_CORRECTED: { en: 'corrected', tr: 'düzeltildi' },
  READINGS_SUSPECT: { en: 'suspect', tr: 'şüpheli' },
  READINGS_REJECTED: { en: 'rejected', tr: 'reddedildi' },
  READINGS_ACCEPTED: { en: 'new', tr: 'yeni' },
  READINGS_UNCHANGED: { en: 'unchanged', tr: 'değişmedi' },
  READINGS_IMPORTS: { en: 'Imports', tr: 'İçe aktarmalar' },
  READINGS_NO_IMPORTS: { en: 'No import yet', tr: 'Henüz içe aktarma yok' },
  READINGS_AT: { en: 'Time', tr: 'Zaman' },
  READINGS_SEVERAL: { en: 'several', tr: 'birden çok' },
  READINGS_REQUEST: { en: '(API request)', tr: '(API isteği)' },
  READINGS_READ: { en: 'Rows', tr: 'Satır sayısı' },
  READINGS_EFFECTS: { en: 'Netted months that no longer match', tr: 'Artık uyuşmayan mahsuplaşma ayları' },
  READINGS_EFFECTS_NOTE: {
    en: 'Readings have changed hours that were calculated. A correction computes these months and the later ones again.',
    tr: 'Okumalar, hesaplanmış saatleri değiştirdi. Düzeltme, bu ayları ve sonrakileri yeniden hesaplar.',
  },
  READINGS_NO_EFFECTS: {
    en: 'The results of every group include all readings.',
    tr: 'Tüm grupların sonuçları bütün okumaları içeriyor.',
  },
  READINGS_GROUP: { en: 'Group', tr: 'Grup' },
  READINGS_MONTHS: { en: 'Months', tr: 'Aylar' },
})
