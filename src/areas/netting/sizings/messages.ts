import { messages } from '../../../kernel/messages.ts'

export const SIZING_TEXTS = messages({
  SIZING_CHANGE_UNKNOWN: {
    en: 'there is no change at position {index}',
    tr: '{index} konumunda bir değişiklik yok',
  },
  SIZING_CHANGE_WITHOUT_SIZE: {
    en: 'a change of this kind has no size',
    tr: 'bu tür bir değişikliğin boyutu yok',
  },
  SIZING_SIZES_INVALID: {
    en: 'give either sizes, or a range whose step is above 0 and whose end is not before its start',
    tr: 'ya boyutları ya da adımı 0’dan büyük ve sonu başından önce olmayan bir aralık verin',
  },
  SIZING_TOO_LARGE: {
    en: 'a sizing has at most {sizes} sizes, and {months} sizes times months of groups',
    tr: 'bir boyutlandırmada en çok {sizes} boyut ve boyut çarpı grup ayı olarak {months} olabilir',
  },
  SIZING_WITHOUT_RESULTS: {
    en: 'no month of these groups has a result with a stored input',
    tr: 'bu grupların hiçbir ayının girdisi saklanan bir sonucu yok',
  },
  SIZINGS_OPEN: {
    en: '{count} {count?sizing is:sizings are} waiting; wait until one is finished',
    tr: '{count} boyutlandırma bekliyor; birinin bitmesini bekleyin',
  },
  SIZINGS_KEPT: {
    en: '{max} sizings are stored; delete one first',
    tr: '{max} boyutlandırma saklanıyor; önce birini silin',
  },
  SIZING_NOT_WAITING: { en: 'the sizing is finished', tr: 'boyutlandırma bitti' },
  SIZING_FAILED: {
    en: 'the sizing could not be computed; the log of the service has the cause',
    tr: 'boyutlandırma hesaplanamadı; neden, hizmetin günlüğünde',
  },
})
