import { messages } from '../../../kernel/messages.ts'

/** Why the time of a row is no hour. */
export const HOUR_TEXTS = messages({
  HOUR_NOT_WHOLE: {
    en: 'is no whole hour, such as 01.11.2026 13:00',
    tr: 'tam bir saat değil; örnek: 01.11.2026 13:00',
  },
  HOUR_WITHOUT_DATE: {
    en: 'is no date, such as 01.11.2026 or 2026-11-01',
    tr: 'tarih değil; örnek: 01.11.2026 veya 2026-11-01',
  },
  HOUR_CONTRADICTORY: {
    en: 'names one hour beside its date and another in its column',
    tr: 'tarihin yanındaki saat ile saat sütunundaki saat farklı',
  },
  HOUR_BEGINS_NOTHING: {
    en: '24:00 ends a day and begins no hour',
    tr: '24:00 günün sonudur, bir saat başlatmaz',
  },
  HOUR_NO_INSTANT: {
    en: 'timestamp is no ISO 8601 instant',
    tr: 'timestamp bir ISO 8601 zamanı değil',
  },
})

/** Why the columns of an uploaded file cannot be used. Names of columns are those of the API. */
export const COLUMN_TEXTS = messages({
  COLUMN_OF_INSTALLATION_MISSING: {
    en: 'the file has no column of installation numbers, such as "Tesisat No"',
    tr: 'dosyada tesisat numarası sütunu yok; örnek: "Tesisat No"',
  },
  HEADERS_OF_ENERGY_MISSING: {
    en: 'no row has headers of a date and an energy, such as Tarih, Saat, Aktif Çekiş (kWh) and Aktif Veriş (kWh)',
    tr: 'hiçbir satırda tarih ve enerji başlıkları yok; örnek: Tarih, Saat, Aktif Çekiş (kWh), Aktif Veriş (kWh)',
  },
  HEADERS_OF_VALUE_MISSING: {
    en: 'no row has headers of a date and a value, such as Tarih, Saat and Endeks, or date and import',
    tr: 'hiçbir satırda tarih ve değer başlıkları yok; örnek: Tarih, Saat ve Endeks ya da date ve import',
  },
  HEADERS_NAMED_MISSING: {
    en: 'no row has the headers {names} and those of a date and a value',
    tr: 'hiçbir satırda şu başlıklar ile tarih ve değer başlıkları birlikte yok: {names}',
  },
  HEADERS_OF_FIGURES_MISSING: {
    en: 'no row has headers of figures, such as date, hour, matched_kwh, bedelli_kwh, skb_kwh, bedelsiz_kwh or bedelli_try',
    tr: 'hiçbir satırda tutar başlıkları yok; örnek: date, hour, matched_kwh, bedelli_kwh, skb_kwh, bedelsiz_kwh, bedelli_try',
  },
  COLUMNS_REPEATED: { en: 'two columns mean {column}', tr: 'iki sütun aynı anlama geliyor: {column}' },
  COLUMNS_REPEATED_UNNAMED: {
    en: 'two columns mean {column}: name the columns of the file',
    tr: 'iki sütun aynı anlama geliyor: {column}; dosyanın sütunlarını adlandırın',
  },
  COLUMN_NAMED_MISSING: { en: 'there is no column "{name}"', tr: '"{name}" adlı bir sütun yok' },
  COLUMN_OF_VALUE_AMBIGUOUS: {
    en: '"{name}" stands beside columns of import or export: name the columns of the file',
    tr: '"{name}" sütununun yanında çekiş veya veriş sütunları da var; dosyanın sütunlarını adlandırın',
  },
  COLUMNS_OF_DIRECTIONS_MISSING: {
    en: 'a meter of the role {role} needs columns of import and export',
    tr: 'bu roldeki bir sayaç için çekiş ve veriş sütunları gerekir: {role}',
  },
  COLUMN_OF_ROLE_MISSING: {
    en: 'a meter of the role {role} needs a column of {column}',
    tr: '{role} rolündeki bir sayaç için şu sütun gerekir: {column}',
  },
  COLUMN_UNIT_DIFFERS: {
    en: 'the header "{name}" names {found}, but the unit of the import is {unit}',
    tr: '"{name}" başlığındaki birim {found}, içe aktarımın birimi ise {unit}',
  },
  FILE_WITH_SEVERAL_METERS: {
    en: 'the file has readings of {meters} meters: send one file for each',
    tr: 'dosyada {meters} sayacın endeksleri var: her sayaç için ayrı dosya gönderin',
  },
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
