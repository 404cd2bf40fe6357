import { declareWords, messages } from '../../../kernel/messages.ts'

declareWords({ 'tenant deletion': 'kiracı silme işlemi' })

export const DELETION_TEXTS = messages({
  TENANT_DELETION_OF_OWN: {
    en: 'your own tenant cannot be deleted',
    tr: 'kendi kiracınız silinemez',
  },
  TENANT_DELETION_OF_ACTIVE: {
    en: 'an active tenant cannot be deleted: deactivate it first',
    tr: 'etkin bir kiracı silinemez: önce devre dışı bırakın',
  },
  TENANT_DELETION_NAME_DIFFERS: {
    en: 'is not the name of the tenant, which confirms the deletion',
    tr: 'silmeyi onaylayan kiracı adıyla aynı değil',
  },
})
