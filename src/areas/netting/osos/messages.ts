import { messages } from '../../../kernel/messages.ts'

/** The errors of installations of grid operators. */
export const INSTALLATION_TEXTS = messages({
  INSTALLATION_NUMBER_TAKEN: {
    en: 'an installation with this number exists',
    tr: 'bu numarayla bir tesisat var',
  },
  ORGANIZATION_NOT_DISTRIBUTION_COMPANY: {
    en: 'distribution_company_id names an organization of type {org_type}',
    tr: 'distribution_company_id bir dağıtım şirketini göstermiyor; kuruluşun türü: {org_type}',
  },
  DECLARED_METER_FIELD_FIXED: {
    en: '{field} of a declared meter cannot be changed',
    tr: 'beyan edilen bir sayacın {field} alanı değiştirilemez',
  },
})
