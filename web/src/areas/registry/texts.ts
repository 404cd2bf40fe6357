import { messages } from '../../../../src/kernel/messages.ts'

export const REGISTRY_TEXTS = messages({
  REGISTRY: { en: 'Registry', tr: 'Kayıtlar' },
})
