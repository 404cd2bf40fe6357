import { messages } from '../../../src/kernel/messages.ts'

export const UI_TEXTS = messages({
  UI_LOADING: { en: 'Loading…', tr: 'Yükleniyor…' },
  UI_TRY_AGAIN: { en: 'Try again', tr: 'Yeniden dene' },
  UI_NO_CONNECTION: {
    en: 'The service cannot be reached. Check the connection.',
    tr: 'Hizmete ulaşılamıyor. Bağlantıyı denetleyin.',
  },
  UI_SIGNED_OUT: { en: 'The session has ended.', tr: 'Oturum sona erdi.' },
  UI_UNEXPECTED_ERROR: { en: 'Something went wrong.', tr: 'Beklenmeyen bir hata oluştu.' },
  UI_UNKNOWN: { en: 'unknown', tr: 'bilinmiyor' },
  UI_NONE: { en: 'None', tr: 'Yok' },
  UI_PREVIOUS: { en: 'Previous', tr: 'Önceki' },
  UI_NEXT: { en: 'Next', tr: 'Sonraki' },
  UI_PAGE_RANGE: { en: '{first}–{last} of {total}', tr: '{total} kayıttan {first}–{last}' },
  UI_NOT_FOUND: { en: 'This page does not exist', tr: 'Böyle bir sayfa yok' },
  UI_SEARCH: { en: 'Search', tr: 'Ara' },
  UI_FROM: { en: 'From', tr: 'Başlangıç tarihi' },
  UI_TO: { en: 'Until', tr: 'Bitiş tarihi' },
  UI_ALL: { en: 'All', tr: 'Tümü' },
  UI_YES: { en: 'yes', tr: 'evet' },
  UI_NO: { en: 'no', tr: 'hayır' },
  UI_CANCEL: { en: 'Cancel', tr: 'Vazgeç' },
  UI_SAVE: { en: 'Save', tr: 'Kaydet' },
  UI_DELETE: { en: 'Delete', tr: 'Sil' },
  UI_ACTIONS: { en: 'Actions', tr: 'İşlemler' },
  UI_PARTS: { en: 'Parts of the page', tr: 'Sayfanın bölümleri' },
})
