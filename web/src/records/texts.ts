import { messages } from '../../../src/kernel/messages.ts'

export const RECORD_TEXTS = messages({
  RECORD_CREATE: { en: 'Create', tr: 'Oluştur' },
  RECORD_EDIT: { en: 'Edit', tr: 'Düzenle' },
  RECORD_EDIT_ONE: { en: 'Edit {name}', tr: '{name} kaydını düzenle' },
  RECORD_DELETE_ONE: { en: 'Delete {name}', tr: '{name} kaydını sil' },
  RECORD_DELETE_QUESTION: {
    en: 'Delete {name} permanently?',
    tr: '{name} kalıcı olarak silinsin mi?',
  },
  RECORD_DEPENDENTS: { en: 'These records use it:', tr: 'Bunu kullanan kayıtlar:' },
  RECORD_NO_DEPENDENTS: { en: 'No other record uses it.', tr: 'Bunu kullanan başka kayıt yok.' },
  RECORD_MORE: { en: 'and others', tr: 've diğerleri' },
  RECORD_SHOWN_ONCE: {
    en: 'Copy these values now: they are not shown again.',
    tr: 'Bu değerleri şimdi kopyalayın: yeniden gösterilmez.',
  },
  RECORD_SUCCEEDED: { en: 'It worked.', tr: 'Başarılı.' },
  RECORD_FAILED: { en: 'It did not work.', tr: 'Başarısız.' },
  RECORD_CHOOSE_PARENT: { en: 'Choose a record above.', tr: 'Yukarıdan bir kayıt seçin.' },
})
