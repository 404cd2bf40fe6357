import { messages } from '../../../../../src/kernel/messages.ts'

/** Texts about eligibility and members. */
export const RULES_TEXTS = messages({
  RULES_STATUS: { en: 'Eligibility', tr: 'Uygunluk' },
  RULES_VALID: { en: 'Valid: the group may net', tr: 'Geçerli: grup mahsuplaşabilir' },
  RULES_BLOCKED: {
    en: 'Blocked: nothing is matched, and the whole production is free',
    tr: 'Engelli: hiçbir enerji mahsuplaşmaz, üretimin tamamı bedelsizdir',
  },
  RULES_NOT_CHECKED: {
    en: 'Not checked completely: the group is calculated like a valid one',
    tr: 'Tam denetlenmedi: grup geçerli gibi hesaplanır',
  },
  RULES_EVALUATED: { en: 'Evaluated {at}', tr: 'Değerlendirme: {at}' },
  RULES_NEVER: { en: 'The rules have not been evaluated yet.', tr: 'Kurallar henüz değerlendirilmedi.' },
  RULES_OF_PERIOD: {
    en: 'This is the evaluation of {month}.',
    tr: '{month} dönemi için değerlendirme.',
  },
  RULES_CORRECTION_REQUIRED: {
    en: 'The results of this month were calculated with the other outcome. Correct the month.',
    tr: 'Bu ayın sonuçları farklı bir uygunlukla hesaplandı. Ayı düzeltin.',
  },
  RULES_EVALUATE: { en: 'Evaluate now', tr: 'Şimdi değerlendir' },
  RULES_LIST: { en: 'The 13 rules', tr: '13 kural' },
  RULES_PASS: { en: 'Passed', tr: 'Sağlanıyor' },
  RULES_FAIL: { en: 'Failed', tr: 'Sağlanmıyor' },
  RULES_UNKNOWN: { en: 'Not checked', tr: 'Denetlenemedi' },
  RULES_NOT_APPLICABLE: { en: 'Not applicable', tr: 'Geçerli değil' },
  RULES_BLOCKING: { en: 'blocking', tr: 'engelleyici' },
  RULES_REMEDY: { en: 'What to do: ', tr: 'Yapılacak: ' },
  RULES_R001: {
    en: 'Do all members belong to one official party?',
    tr: 'Tüm üyeler tek bir resmî tarafa mı ait?',
  },
  RULES_R001_REMEDY: {
    en: 'Declare the scope of the group as one official party, and give every member this scope.',
    tr: 'Grubun birliğini tek resmî taraf olarak beyan edin ve her üyeyi bu birliğe alın.',
  },
  RULES_R002: { en: 'Is there a producer?', tr: 'Grupta bir üretici var mı?' },
  RULES_R002_REMEDY: {
    en: 'Add a facility that produces as a member.',
    tr: 'Üretim yapan bir tesisi üye olarak ekleyin.',
  },
  RULES_R003: {
    en: 'Do all consumers have the same subscriber group?',
    tr: 'Tüm tüketicilerin abone grubu aynı mı?',
  },
  RULES_R003_REMEDY: {
    en: 'Enter the subscriber group of every consumer, and net consumers of another one in their own group.',
    tr: 'Her tüketicinin abone grubunu girin; farklı abone grubundakiler için ayrı grup kurun.',
  },
  RULES_R003M: {
    en: 'Are homes grouped with homes only?',
    tr: 'Meskenler yalnızca meskenlerle mi gruplanmış?',
  },
  RULES_R003M_REMEDY: {
    en: 'Net the homes in a group of their own.',
    tr: 'Meskenleri kendi gruplarında mahsuplaştırın.',
  },
  RULES_R005: {
    en: 'Do all consumers have the responsible supplier of the group?',
    tr: 'Tüm tüketicilerin tedarikçisi grubun sorumlu tedarikçisi mi?',
  },
  RULES_R005_REMEDY: {
    en: 'Enter the supplier of every consumer, and the responsible supplier of the group.',
    tr: 'Her tüketicinin tedarikçisini ve grubun sorumlu tedarikçisini girin.',
  },
  RULES_R007: {
    en: 'Does every consumer have a limit account for the year?',
    tr: 'Her tüketicinin yıl için limit hesabı var mı?',
  },
  RULES_R007_REMEDY: {
    en: 'Open a limit account of the year for each consumer that is named.',
    tr: 'Adı geçen her tüketici için yılın limit hesabını açın.',
  },
  RULES_R008: {
    en: 'Is the supply type of every consumer known and the same?',
    tr: 'Her tüketicinin tedarik türü biliniyor ve aynı mı?',
  },
  RULES_R008_REMEDY: {
    en: 'Enter the supply type of the facilities: regulated, last-resource (SKTT) or bilateral.',
    tr: 'Tesislerin tedarik türünü girin: düzenlenmiş, SKTT veya ikili anlaşma.',
  },
  RULES_R009: {
    en: 'Is the production possible with the installed power?',
    tr: 'Üretim, kurulu güçle mümkün mü?',
  },
  RULES_R009_REMEDY: {
    en: 'Check installed and contracted power of the producers and the scale of their meters.',
    tr: 'Üreticilerin kurulu ve sözleşme gücünü, sayaçlarının çarpanını kontrol edin.',
  },
  RULES_R010: {
    en: 'Was the contracted power confirmed at every limit transfer?',
    tr: 'Her limit devrinde sözleşme gücü doğrulandı mı?',
  },
  RULES_R010_REMEDY: {
    en: 'Obtain the confirmation of the contracted power before the next transfer.',
    tr: 'Bir sonraki devirden önce sözleşme gücünü doğrulatın.',
  },
  RULES_R011: {
    en: 'Is no change of ownership of a facility pending?',
    tr: 'Bekleyen bir tesis devri yok mu?',
  },
  RULES_R013: {
    en: 'Has the grid operator confirmed the group, and does every member have a main meter?',
    tr: 'Şebeke işletmecisi grubu onayladı mı ve her üyenin ana sayacı var mı?',
  },
  RULES_R013_REMEDY: {
    en: 'Advance the status of the group when the operator has confirmed it, and assign a meter to every member.',
    tr: 'İşletmeci onaylayınca grubun durumunu ilerletin ve her üyeye bir sayaç atayın.',
  },
  RULES_R00T: {
    en: 'Is there an approved price for every subscriber group?',
    tr: 'Her abone grubu için onaylı fiyat var mı?',
  },
  RULES_R00T_REMEDY: {
    en: 'Approve a price set of the month that contains the subscriber groups.',
    tr: 'Abone gruplarını içeren, aya ait bir fiyat setini onaylayın.',
  },
  RULES_R00L: {
    en: 'Does the record of the market operator agree?',
    tr: 'Piyasa işletmecisinin kaydı uyuşuyor mu?',
  },
  RULES_NO_SOURCE_REMEDY: {
    en: 'Nothing: there is no data source for this rule yet.',
    tr: 'Yok: bu kuralın henüz veri kaynağı yok.',
  },
  RULES_MEMBERS: { en: 'Members', tr: 'Üyeler' },
  RULES_NO_MEMBERS: { en: 'The group has no member yet', tr: 'Grubun henüz üyesi yok' },
  RULES_FACILITY: { en: 'Facility', tr: 'Tesis' },
  RULES_ROLE: { en: 'Role', tr: 'Rolü' },
  RULES_FROM: { en: 'From', tr: 'Başlangıç' },
  RULES_TO: { en: 'Until', tr: 'Bitiş' },
  RULES_OPEN: { en: 'open', tr: 'sürüyor' },
  RULES_TIMELINE: { en: 'Timeline', tr: 'Zaman çizelgesi' },
  RULES_TIMELINE_RANGE: {
    en: 'The bars range from {from} to {to}.',
    tr: 'Çubuklar {from} ile {to} arasını gösterir.',
  },
})
