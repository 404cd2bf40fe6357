import { messages } from '../../../../kernel/messages.ts'

export const LIMIT_TEXTS = messages({
  TRANSFER_CONTRACTED_POWER_NOT_CONFIRMED: {
    en: 'the contracted power was not declared as confirmed',
    tr: 'sözleşme gücünün teyit edildiği beyan edilmedi',
  },
  LIMIT_YEARS_DIFFER: {
    en: 'a limit belongs to its year: {source_year} and {target_year} differ',
    tr: 'limit kendi yılına aittir: {source_year} ile {target_year} farklı',
  },
})
