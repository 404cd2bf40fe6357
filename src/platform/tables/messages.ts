import { messages } from '../../kernel/messages.ts'

/** Why an uploaded file cannot be read as a table. */
export const TABLE_TEXTS = messages({
  TABLE_TOO_MANY_ROWS: {
    en: 'the file has more than {max} rows',
    tr: 'dosyanın satır sayısı {max} sınırını aşıyor',
  },
  TABLE_TOO_MANY_COLUMNS: {
    en: 'the sheet has more than {max} columns',
    tr: 'sayfanın sütun sayısı {max} sınırını aşıyor',
  },
  TABLE_LINE_TOO_LONG: { en: 'line {line} has too many columns', tr: '{line}. satırda çok fazla sütun var' },
  TABLE_CELL_TOO_LONG: {
    en: 'a cell holds more than {max} characters',
    tr: 'bir hücredeki metin {max} karakter sınırını aşıyor',
  },
  TABLE_TEXT_TOO_LONG: { en: 'the sheet holds too much text', tr: 'sayfa çok fazla metin içeriyor' },
  TABLE_TOO_MANY_TEXTS: {
    en: 'the workbook has too many texts',
    tr: 'çalışma kitabı çok fazla metin içeriyor',
  },
  TABLE_NEEDS_MUCH_MEMORY: {
    en: 'the file needs too much memory to be read',
    tr: 'dosyayı okumak için gereken bellek sınırı aşıyor',
  },
  TABLE_TAKES_TOO_LONG: { en: 'the file takes too long to read', tr: 'dosyanın okunması çok uzun sürüyor' },
  TABLE_NOT_TEXT: {
    en: 'the file is neither an XLSX workbook nor text in UTF-8: save it as "CSV UTF-8"',
    tr: 'dosya ne bir XLSX çalışma kitabı ne de UTF-8 metni: "CSV UTF-8" olarak kaydedin',
  },
  TABLE_ENCODING_UNKNOWN: {
    en: 'the file is neither an XLSX workbook nor text in UTF-8, UTF-16 or windows-1254: save it as "CSV UTF-8"',
    tr: 'dosya ne bir XLSX çalışma kitabı ne de UTF-8, UTF-16 ya da windows-1254 metni: "CSV UTF-8" olarak kaydedin',
  },
  TABLE_WITH_NUL: {
    en: 'the file holds NUL characters: it is no text',
    tr: 'dosya NUL karakteri içeriyor: metin dosyası değil',
  },
  /** The detail is for the author of the program that wrote the file; it is in English. */
  TABLE_DAMAGED: { en: '{detail}', tr: 'dosya okunamadı, biçimi bozuk ({detail})' },
})
