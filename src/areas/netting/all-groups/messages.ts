import { messages } from '../../../kernel/messages.ts'

export const BULK_TEXTS = messages({
  BULK_GROUP_FAILED: {
    en: 'the calculation failed; the log of the service says why',
    tr: 'hesaplama başarısız oldu; nedeni hizmetin günlüğünde yazılı',
  },
})
