import { messages } from '../../kernel/messages.ts'

export const REPORT_TEXTS = messages({
  REPORT_TOO_LONG: {
    en: 'a PDF has at most {rows} rows, the report has more: choose xlsx or csv',
    tr: 'bir PDF en çok {rows} satır içerir, rapor daha uzundur: xlsx ya da csv seçin',
  },
})
