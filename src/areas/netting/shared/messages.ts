import { messages } from '../../../kernel/messages.ts'

/** The faults of an uploaded file as a whole. The detail is a technical text in English. */
export const FILE_TEXTS = messages({
  FILE_TOO_LARGE: { en: '{detail}', tr: 'dosya çok büyük ({detail})' },
  FILE_WITH_TOO_MANY_ROWS: { en: '{detail}', tr: 'dosyada çok fazla satır var ({detail})' },
  FILE_UNREADABLE: { en: '{detail}', tr: 'dosya okunamadı ({detail})' },
  FILE_ENCODING: { en: '{detail}', tr: 'dosyanın karakter kodlaması okunamadı ({detail})' },
  FILE_COLUMNS: { en: '{detail}', tr: 'dosyanın sütunları beklenenlere uymuyor ({detail})' },
})

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
  MONTH_WITHOUT_SUMMARY: { en: 'the month has no summary', tr: 'ayın özeti yok' },
  NOTHING_TO_PROVE: {
    en: 'no hour of the month is calculated: there is nothing to prove',
    tr: 'ayın hiçbir saati hesaplanmadı: kanıtlanacak veri yok',
  },
  RUN_WITHOUT_INPUTS: {
    en: 'run {run} was made before inputs were kept; correct the period',
    tr: '{run} kimlikli hesaplama, girdiler saklanmadan önce yapıldı; dönemi düzeltin',
  },
  BULK_REQUESTS_RUNNING: {
    en: '{max} bulk requests are running; wait for one to finish',
    tr: '{max} toplu istek çalışıyor; birinin bitmesini bekleyin',
  },
  NO_ACTIVE_GROUP: { en: 'there is no active group', tr: 'etkin grup yok' },
  TOO_MANY_ACTIVE_GROUPS: {
    en: 'there are more than {max} active groups; name them in several requests',
    tr: 'etkin grup sayısı {max} sınırını aşıyor; grupları birkaç istekte adlandırın',
  },
  PERIOD_TOO_EARLY: {
    en: 'billing_period lies before {first}',
    tr: 'billing_period ilk dönemden önce ({first:period})',
  },
  PERIOD_NOT_OVER: { en: '{period:period} is not over yet', tr: '{period:period} henüz bitmedi' },
  PERIOD_WITHOUT_MEMBERS: {
    en: 'the group had no member in {period:period}',
    tr: '{period:period} döneminde grubun üyesi yoktu',
  },
  YEAR_TOO_EARLY: { en: 'the year must not lie before {year}', tr: 'yıl {year} yılından önce olamaz' },
  HAS_ESS_NEEDS_FIELD: {
    en: '{field} is needed when has_ess is true',
    tr: 'has_ess true iken {field} gereklidir',
  },
  FIELD_NEEDS_HAS_ESS: { en: '{field} needs has_ess', tr: '{field} yalnızca has_ess ile verilebilir' },
  MEMBERSHIP_BACKDATED: {
    en: 'valid_from lies before the current month, which begins on {month_start}',
    tr: 'valid_from, {month_start:date} tarihinde başlayan geçerli aydan önce',
  },
  PERIOD_IS_EMPTY: {
    en: 'valid_from must lie before valid_to',
    tr: 'valid_from, valid_to tarihinden önce olmalıdır',
  },
  DEVICE_NAMED_TWICE: { en: 'a device is named twice', tr: 'bir cihaz iki kez adlandırıldı' },
  DEVICE_NOT_FOUND: { en: 'device not found', tr: 'cihaz bulunamadı' },
  INVERTER_TYPE_NEEDS_INVERTER: {
    en: 'only a device with device_role inverter has an inverter_type',
    tr: 'inverter_type yalnızca device_role değeri inverter olan cihazlarda bulunur',
  },
  METERING_POINT_OF_ANOTHER_FACILITY: {
    en: 'the metering point belongs to another facility',
    tr: 'ölçüm noktası başka bir tesise ait',
  },
  MAIN_ROLE_OVERLAP: {
    en: 'the subregion has an assignment of this main role in the period; close its valid_to first',
    tr: 'alt bölgenin bu dönemde aynı ana rolde bir sayaç ataması var; önce onun valid_to tarihini girin',
  },
  DECLARATION_DOWNGRADE: {
    en: 'the scope is declared by {before}, which is stronger than {source}',
    tr: 'kapsam daha güçlü bir kaynakla beyan edilmiş: {before}; {source} ile değiştirilemez',
  },
})
