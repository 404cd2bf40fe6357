import { declareWords, messages } from '../../../kernel/messages.ts'

declareWords({
  tarimsal_sulama: 'tarımsal sulama',
  aydinlatma: 'aydınlatma',
  other: 'diğer',
  customer_defined: 'müşteri tanımladı',
  ek1_submitted: 'EK-1 verildi',
  grid_operator_confirmed: 'şebeke işletmecisi onayladı',
  lum_reported: 'LÜM’de bildirildi',
  inactive: 'pasif',
  regulated: 'düzenlenen tarife',
  sktt: 'SKTT',
  bilateral: 'ikili anlaşma',
})

/** The reasons of the results of the eligibility rules. Facilities are named by `namesOf`. */
export const RULE_TEXTS = messages({
  NAMES_AND_MORE: { en: '{names} and {more} more', tr: '{names} ve {more} tesis daha' },
  NO_MEMBER_CONSUMES: { en: 'No member consumes.', tr: 'Tüketim yapan üye yok.' },
  R001_OTHER_SCOPE: {
    en: "Not of one official party: {facilities:names} {count?is:are} in another scope than the group's, {scope}.",
    tr: 'Aynı kişi değil: grubun kapsamı {scope}; başka kapsamdaki tesisler: {facilities:names}.',
  },
  R001_DIFFERENT_SCOPES: {
    en: 'Not of one official party: {facilities:names} {count?is:are} in different scopes.',
    tr: 'Aynı kişi değil, farklı kapsamlardaki tesisler: {facilities:names}.',
  },
  R001_GROUP_SCOPE_MISSING: { en: 'The group has no scope.', tr: 'Grubun kapsamı tanımlı değil.' },
  R001_SCOPE_NOT_DECLARED: {
    en: 'The scope {scope} is not declared to be one official party.',
    tr: '{scope} kapsamının tek bir kişiye ait olduğu beyan edilmedi.',
  },
  R001_FACILITY_SCOPE_UNKNOWN: {
    en: 'No scope is known of {facilities:names}.',
    tr: 'Kapsamı bilinmeyen tesisler: {facilities:names}.',
  },
  R001_PASS: {
    en: 'All facilities belong to the declared scope {scope}.',
    tr: 'Bütün tesisler beyan edilen {scope} kapsamında.',
  },
  R002_NO_ACTIVE_MEMBER: { en: 'No facility is an active member.', tr: 'Grubun aktif üyesi yok.' },
  R002_NO_PRODUCER: { en: 'No member produces.', tr: 'Üretim yapan üye yok.' },
  R002_NO_CONSUMPTION: {
    en: 'The group only produces: there is nothing to net against.',
    tr: 'Grupta yalnızca üretim var: mahsuplaşacak tüketim yok.',
  },
  R002_PASS: {
    en: 'Members that produce: {producers}, that consume: {consumers}.',
    tr: 'Üretim yapan üye: {producers}, tüketim yapan üye: {consumers}.',
  },
  R003_ABONE_GRUBU_DIFFERS: {
    en: 'The consuming facilities are of different subscriber groups ({parts}).',
    tr: 'Tüketim tesislerinin abone grupları farklı ({parts}).',
  },
  R003_PART: { en: '{abone_grubu}: {facilities:names}', tr: '{abone_grubu:word}: {facilities:names}' },
  R003_PARTS: { en: '{first}; {rest}', tr: '{first}; {rest}' },
  R003_ABONE_GRUBU_UNKNOWN: {
    en: 'The subscriber group is unknown of {facilities:names}.',
    tr: 'Abone grubu bilinmeyen tesisler: {facilities:names}.',
  },
  R003_PASS: {
    en: 'All consuming facilities are of the subscriber group {abone_grubu:names}.',
    tr: 'Bütün tüketim tesisleri aynı abone grubunda: {abone_grubu:word}.',
  },
  R003M_NO_HOME: { en: 'No consuming facility is a home.', tr: 'Tüketim tesisleri arasında mesken yok.' },
  R003M_MESKEN_MIXED: {
    en: 'Homes ({homes:names}) share the group with {abone_grubu:names} facilities.',
    tr: 'Meskenler ({homes:names}) başka abone gruplarıyla aynı grupta: {abone_grubu:word}.',
  },
  R003M_ABONE_GRUBU_UNKNOWN: {
    en: 'Beside homes, the subscriber group is unknown of {facilities:names}.',
    tr: 'Meskenlerin yanında abone grubu bilinmeyen tesisler var: {facilities:names}.',
  },
  R003M_PASS: { en: 'All consuming facilities are homes.', tr: 'Bütün tüketim tesisleri mesken.' },
  R005_OTHER_SUPPLIER: {
    en: "Another supplier than the group's: {facilities:names}.",
    tr: 'Tedarikçisi grubunkinden farklı tesisler: {facilities:names}.',
  },
  R005_SUPPLIER_DIFFERS: {
    en: 'The consuming facilities have different suppliers: {facilities:names}.',
    tr: 'Tüketim tesislerinin tedarikçileri farklı: {facilities:names}.',
  },
  R005_SUPPLIER_UNKNOWN: {
    en: 'The supplier is unknown of {facilities:names}.',
    tr: 'Tedarikçisi bilinmeyen tesisler: {facilities:names}.',
  },
  R005_GROUP_SUPPLIER_UNKNOWN: {
    en: 'The group names no responsible supplier.',
    tr: 'Grubun sorumlu tedarikçisi tanımlı değil.',
  },
  R005_PASS: {
    en: "All consuming facilities have the group's supplier.",
    tr: 'Bütün tüketim tesislerinin tedarikçisi grubunkiyle aynı.',
  },
  R007_RESIDENTIAL: {
    en: 'A residential group is netted without a limit.',
    tr: 'Mesken grubunda mahsuplaşma limitsizdir.',
  },
  R007_PASS: {
    en: 'Every consuming facility has a limit account for {year}.',
    tr: 'Her tüketim tesisinin {year} yılı limit hesabı var.',
  },
  R007_LIMIT_ACCOUNT_MISSING: {
    en: 'No limit account for {year}: {facilities:names}.',
    tr: '{year} yılı limit hesabı olmayan tesisler: {facilities:names}.',
  },
  R008_SUPPLY_TYPE_DIFFERS: {
    en: 'The consuming facilities have different supply types: {supply_types:names}.',
    tr: 'Tüketim tesislerinin tedarik türleri farklı: {supply_types:word}.',
  },
  R008_SUPPLY_TYPE_UNKNOWN: {
    en: 'The supply type is unknown of {facilities:names}.',
    tr: 'Tedarik türü bilinmeyen tesisler: {facilities:names}.',
  },
  R008_PASS: {
    en: 'All consuming facilities have the supply type {supply_types:names}.',
    tr: 'Bütün tüketim tesislerinin tedarik türü aynı: {supply_types:word}.',
  },
  R009_POWER_OR_PRODUCTION_UNKNOWN: {
    en: 'The installed power, the contracted power or the production is unknown of {facilities:names}.',
    tr: 'Kurulu gücü, sözleşme gücü ya da üretimi bilinmeyen tesisler: {facilities:names}.',
  },
  R009_PASS: {
    en: 'Production and contracted power agree with the installed power.',
    tr: 'Üretim ve sözleşme gücü kurulu güçle uyumlu.',
  },
  R009_PRODUCTION_ABOVE: {
    en: 'Production of an hour above the installed power: {above:names}.',
    tr: 'Bir saatlik üretimi kurulu gücünün üstünde olan tesisler: {above:names}.',
  },
  R009_CONTRACTED_BELOW: {
    en: 'Contracted power below the installed power: {below:names}.',
    tr: 'Sözleşme gücü kurulu gücünün altında olan tesisler: {below:names}.',
  },
  R009_PRODUCTION_ABOVE_AND_CONTRACTED_BELOW: {
    en: 'Production of an hour above the installed power: {above:names}. Contracted power below the installed power: {below:names}.',
    tr: 'Bir saatlik üretimi kurulu gücünün üstünde olan tesisler: {above:names}. Sözleşme gücü kurulu gücünün altında olan tesisler: {below:names}.',
  },
  R00L_NO_DATA_SOURCE: {
    en: 'Not checked: no source holds the record of this group at the market operator (LÜM).',
    tr: 'Denetlenmedi: bu grubun piyasa işletmecisindeki (LÜM) kaydını veren bir kaynak yok.',
  },
  R00T_PASS: {
    en: 'Approved prices for {month} exist.',
    tr: '{month:month} için onaylı fiyatlar var.',
  },
  R00T_TARIFF_NOT_APPROVED: {
    en: 'No approved price for {month}: {facilities:names}.',
    tr: '{month:month} için onaylı fiyatı olmayan tesisler: {facilities:names}.',
  },
  R00T_TARIFF_OF_GROUPS_NOT_APPROVED: {
    en: 'No approved price of {abone_grubu:names} for {month}: {facilities:names}.',
    tr: '{month:month} için onaylı fiyatı olmayan abone grupları: {abone_grubu:word}; tesisler: {facilities:names}.',
  },
  R010_NO_TRANSFER: {
    en: 'No limit was transferred in {year}.',
    tr: '{year} yılında limit aktarımı yapılmadı.',
  },
  R010_PASS: {
    en: 'All limit transfers of {year} had the contracted power confirmed.',
    tr: '{year} yılındaki bütün limit aktarımlarında sözleşme gücü teyit edildi.',
  },
  R010_CONTRACTED_POWER_NOT_CONFIRMED: {
    en: 'Limit was transferred in {year} without confirmed contracted power: {facilities:names}.',
    tr: '{year} yılında sözleşme gücü teyit edilmeden limit aktarılan tesisler: {facilities:names}.',
  },
  R011_NO_DATA_SOURCE: {
    en: 'Not checked: no source tells of pending transfers of facilities to another owner.',
    tr: 'Denetlenmedi: tesislerin bekleyen devir işlemlerini gösteren bir kaynak yok.',
  },
  R013_PASS: {
    en: 'The grid operator confirmed the group; every member is metered.',
    tr: 'Şebeke işletmecisi grubu onayladı; her üyenin ana sayacı var.',
  },
  R013_EK1_NOT_CONFIRMED: {
    en: 'The grid operator has not confirmed the group ({group_status}).',
    tr: 'Şebeke işletmecisi grubu henüz onaylamadı ({group_status:word}).',
  },
  R013_MAIN_METER_MISSING: {
    en: 'No meter in a main role: {facilities:names}.',
    tr: 'Ana sayacı olmayan tesisler: {facilities:names}.',
  },
  R013_EK1_NOT_CONFIRMED_AND_METER_MISSING: {
    en: 'The grid operator has not confirmed the group ({group_status}). No meter in a main role: {facilities:names}.',
    tr: 'Şebeke işletmecisi grubu henüz onaylamadı ({group_status:word}). Ana sayacı olmayan tesisler: {facilities:names}.',
  },
})
