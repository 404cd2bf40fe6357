import { messages } from '../../../kernel/messages.ts'

/** The texts of refusals of netting. */
export const NETTING_ERRORS = messages({
  GROUP_INACTIVE: {
    en: 'an inactive group cannot be calculated',
    tr: 'pasif bir grup hesaplanamaz',
  },
  WINDOW_WITHOUT_MEMBERS: {
    en: 'group {group} has no member in any hour of the window',
    tr: '{group}: seçilen aralığın hiçbir saatinde grubun üyesi yok',
  },
  PERIOD_ENDS_BEFORE_IT_BEGINS: {
    en: 'valid_from lies after valid_to',
    tr: 'valid_from, valid_to tarihinden sonra',
  },
  FACILITY_IN_USE: { en: 'the facility is still in use', tr: 'tesis hâlâ kullanılıyor' },
  GROUP_STATUS_TRANSITION: {
    en: 'a group cannot go from {from} to {to}',
    tr: 'grup durumu değiştirilemez: {from:word} → {to:word}',
  },
  GROUP_STATUS_CONTRADICTION: {
    en: 'is_active and group_status contradict each other',
    tr: 'is_active ile group_status çelişiyor',
  },
  GROUP_NAME_TAKEN: { en: 'a group with this name exists', tr: 'bu adda bir grup var' },
  FACILITY_IN_ANOTHER_GROUP: {
    en: 'the facility is a member of a group in the period; close the valid_to of that membership first',
    tr: 'tesis bu dönemde bir grubun üyesi; önce o üyeliğin valid_to tarihini girin',
  },
  LIMIT_ACCOUNT_EXISTS: {
    en: 'the facility has an account for this year',
    tr: 'tesisin bu yıl için limit hesabı var',
  },
  SCOPE_NAME_TAKEN: { en: 'a scope with this name exists', tr: 'bu adda bir kapsam var' },
  ORGANIZATION_EXISTS: {
    en: 'an organization with this org_type and name exists',
    tr: 'bu org_type ve adda bir kuruluş var',
  },
  MONTH_WITHOUT_FULL_HOUR: {
    en: 'the month has no full hour yet: there is nothing to compare',
    tr: 'ayın henüz tamamlanmış saati yok: karşılaştırılacak veri yok',
  },
  MONTH_NOT_CALCULATED: {
    en: 'no hour of the month is calculated: there is nothing to report',
    tr: 'ayın hiçbir saati hesaplanmadı: raporlanacak veri yok',
  },
})
