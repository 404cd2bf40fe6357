import { messages } from '../../../kernel/messages.ts'

export const SITE_TEXTS = messages({
  REGION_NAME_EXISTS: { en: 'a region with this name exists', tr: 'bu adla bir bölge var' },
  SUBREGION_NAME_EXISTS: {
    en: 'a subregion with this name exists in the region',
    tr: 'bölgede bu adla bir alt bölge var',
  },
})
