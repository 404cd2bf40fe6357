import { messages } from '../../../../kernel/messages.ts'

export const LIMIT_TEXTS = messages({
  TRANSFER_CONTRACTED_POWER_NOT_CONFIRMED: {
    en: 'the contracted power was not declared as confirmed',
    tr: 'sözleşme gücünün teyit edildiği beyan edilmedi',
  },
})
