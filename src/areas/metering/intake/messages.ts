import { messages } from '../../../kernel/messages.ts'

export const INTAKE_TEXTS = messages({
  SAMPLE_QUOTA_EXCEEDED: {
    en: 'the samples of the tenant for today are used up; send them again as Retry-After says',
    tr: 'kiracının bugünkü ölçüm kotası doldu; Retry-After başlığındaki süreden sonra yeniden gönderin',
  },
  SAMPLE_STORAGE_EXCEEDED: {
    en: 'the storage of the tenant is used up; nothing is stored until there is room again',
    tr: 'kiracının depolama kotası doldu; yer açılana kadar hiçbir şey saklanmaz',
  },
})
