import { messages } from '../../../kernel/messages.ts'

export const WIDGET_TEXTS = messages({
  WIDGET_CONFIG_UNFIT: { en: 'the config does not fit the widget', tr: 'ayarlar göstergeye uymuyor' },
  WIDGET_CONFIG_TOO_LONG: {
    en: 'must not take more than {max} bytes as JSON',
    tr: 'JSON olarak en çok {max:number} bayt tutabilir',
  },
  WIDGET_RANGE_EMPTY: { en: 'must be above min_range', tr: 'min_range değerinin üzerinde olmalı' },
  WIDGET_DEVICE_GONE: {
    en: 'device {id} of the widget does not exist any more',
    tr: 'göstergenin {id} cihazı artık yok',
  },
  WIDGET_OF_OTHER_TYPE: {
    en: 'the widget is of the type {widget_type}, not {type}',
    tr: 'göstergenin türü {widget_type}, {type} değil',
  },
  WIDGET_LIMIT_OF_SUBREGION: {
    en: 'a subregion has at most {max} widgets; delete one first',
    tr: 'bir alt bölgede en çok {max} gösterge olabilir; önce birini silin',
  },
  WIDGET_NAMED_TWICE: {
    en: 'names a widget that an earlier position names',
    tr: 'daha önceki bir konumun göstergesini yineliyor',
  },
  WIDGET_REFERENCE_UNKNOWN: {
    en: 'does not refer to an existing {what}',
    tr: 'var olan bir kaydı göstermiyor: {what:word}',
  },
})
