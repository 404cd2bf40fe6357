import { messages } from '../../kernel/messages.ts'

/** Why an uploaded PDF cannot be read. */
export const PDF_TEXTS = messages({
  PDF_DAMAGED: { en: 'the PDF is damaged', tr: 'PDF bozuk' },
  PDF_ENCRYPTED: {
    en: 'the PDF is protected by a password: save it without one',
    tr: 'PDF parola korumalı: parolasız olarak kaydedin',
  },
  PDF_TOO_MANY_PAGES: {
    en: 'the PDF has more than {max} pages',
    tr: 'PDF sayfa sayısı {max} sınırını aşıyor',
  },
  PDF_TOO_MUCH_TEXT: { en: 'the PDF contains too much text', tr: 'PDF çok fazla metin içeriyor' },
  PDF_WITHOUT_TEXT: {
    en: 'the PDF contains no text: it seems to be scanned',
    tr: 'PDF metin içermiyor: taranmış görünüyor',
  },
  PDF_TAKES_TOO_LONG: { en: 'the PDF takes too long to read', tr: 'PDF okuması çok uzun sürüyor' },
  PDF_NEEDS_MUCH_MEMORY: {
    en: 'the PDF needs too much memory to be read',
    tr: 'PDF okumak için gereken bellek sınırı aşıyor',
  },
})
