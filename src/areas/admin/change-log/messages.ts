import { messages } from '../../../kernel/messages.ts'

export const CHANGE_TEXTS = messages({
  CHANGE_RANGE_EMPTY: { en: 'must be later than from', tr: 'from değerinden sonra olmalı' },
  CHANGE_RANGE_TOO_LONG: {
    en: 'must be at most {days} days after from',
    tr: 'from değerinden en çok {days} gün sonra olabilir',
  },
})
