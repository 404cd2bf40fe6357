import { messages } from '../../../src/kernel/messages.ts'

export const FORM_TEXTS = messages({
  FORM_UNSAVED: { en: 'Discard your entries?', tr: 'Girdikleriniz silinsin mi?' },
  FORM_UNSAVED_NOTE: {
    en: 'There are entries that are not saved. They are lost if you leave.',
    tr: 'Kaydedilmemiş girişler var. Ayrılırsanız kaybolurlar.',
  },
  FORM_KEEP_EDITING: { en: 'Keep editing', tr: 'Düzenlemeye devam et' },
  FORM_DISCARD: { en: 'Discard', tr: 'Girdikleri sil' },
  FORM_NO_VALUE: { en: 'not given', tr: 'verilmedi' },
  FORM_LIST_HINT: { en: 'Separate several by commas.', tr: 'Birden çoksa virgülle ayırın.' },
  FORM_JSON_HINT: { en: 'As JSON.', tr: 'JSON olarak.' },
  FORM_NOT_JSON: { en: 'This is no valid JSON.', tr: 'Geçerli bir JSON değil.' },
  FORM_NOT_CHOSEN: {
    en: 'Choose one of the records that are offered.',
    tr: 'Önerilen kayıtlardan birini seçin.',
  },
  FORM_REMOVE: { en: 'Remove {name}', tr: '{name} kaydını çıkar' },
  FORM_REMOVE_ROW: { en: 'Remove', tr: 'Çıkar' },
  FORM_ADD: { en: 'Add', tr: 'Ekle' },
  FORM_ADD_TO: { en: 'Add: {name}', tr: 'Ekle: {name}' },
  FORM_SAVED: { en: 'Saved.', tr: 'Kaydedildi.' },
  FORM_NOTHING_CHANGED: { en: 'Nothing was changed.', tr: 'Değişiklik yapılmadı.' },
  FORM_CHECK_FIELDS: { en: 'Correct the marked fields.', tr: 'İşaretli alanları düzeltin.' },
  FORM_CHANGED_MEANWHILE: {
    en: 'Someone else changed this record after you opened it: {fields}. Your entries are kept; check them and save again.',
    tr: 'Siz açtıktan sonra bu kayıt başkası tarafından değiştirildi: {fields}. Girdikleriniz duruyor; denetleyip yeniden kaydedin.',
  },
  FORM_OTHER_FIELDS: { en: 'other fields', tr: 'başka alanlar' },
  FORM_ADVICE_DUPLICATE: {
    en: 'Use another name or number, or edit the existing record.',
    tr: 'Başka bir ad ya da numara kullanın veya var olan kaydı düzenleyin.',
  },
  FORM_ADVICE_OVERLAP: {
    en: 'End the other period first, or choose dates that do not overlap.',
    tr: 'Önce öteki dönemi sonlandırın ya da çakışmayan tarihler seçin.',
  },
  FORM_ADVICE_SEALED: {
    en: 'The month is closed. An administrator has to open it with the command in the message first.',
    tr: 'Ay kapatılmış. Önce bir yöneticinin iletideki komutla ayı açması gerekir.',
  },
  FORM_ADVICE_GROUP: {
    en: 'End the membership in the other group first.',
    tr: 'Önce öteki gruptaki üyeliği sonlandırın.',
  },
  FORM_ADVICE_PROVENANCE: {
    en: 'Choose a source that is at least as strong as the recorded one.',
    tr: 'Kayıtlı olandan daha zayıf olmayan bir kaynak seçin.',
  },
  FORM_ADVICE_DEPENDENCIES: {
    en: 'Delete or move the records that use it first.',
    tr: 'Önce bunu kullanan kayıtları silin ya da taşıyın.',
  },
  FORM_ADVICE_STATE: {
    en: 'Load the page again to see the present state.',
    tr: 'Güncel durumu görmek için sayfayı yenileyin.',
  },
  FORM_ADVICE_LOCKED: {
    en: 'End the lockout session first.',
    tr: 'Önce kilitleme oturumunu sonlandırın.',
  },
})
