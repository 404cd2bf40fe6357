import { messages } from '../../../kernel/messages.ts'

export const HOURLY_ENERGY_TEXTS = messages({
  FACTS_REBUILD_QUEUED: {
    en: 'the hourly energy of the facility is derived again within minutes; calculations derive their hours first',
    tr: 'tesisin saatlik enerjisi birkaç dakika içinde yeniden türetilecek; hesaplar kendi saatlerini önce türetir',
  },
})
