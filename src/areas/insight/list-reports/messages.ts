import { messages } from '../../../kernel/messages.ts'

export const LIST_REPORT_TEXTS = messages({
  REPORT_ROWS_TOO_MANY: {
    en: 'the list has {rows} rows, a report has at most {max}: narrow it with the filters',
    tr: 'liste {rows} satırdır, bir rapor en çok {max} satır içerir: süzgeçlerle daraltın',
  },
  REPORT_IDS: {
    en: 'the list belongs to a record: send the id of the record, or up to {max} ids with commas',
    tr: 'liste bir kayda aittir: kaydın kimliğini ya da virgüllerle en çok {max} kimlik gönderin',
  },
})
