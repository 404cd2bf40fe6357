import { messages } from '../../../kernel/messages.ts'

/** Likely causes of many differences between a file and the results. */
export const HINT_TEXTS = messages({
  HOURS_ONE_EARLIER: {
    en: 'the hours of the file agree with those one hour earlier: its times are wrong by an hour',
    tr: 'dosyadaki saatler bir saat öncekilerle uyuşuyor: dosyanın zamanları bir saat kaymış',
  },
  HOURS_ONE_LATER: {
    en: 'the hours of the file agree with those one hour later: its times are wrong by an hour',
    tr: 'dosyadaki saatler bir saat sonrakilerle uyuşuyor: dosyanın zamanları bir saat kaymış',
  },
  HOURS_ONE_EARLIER_LABEL: {
    en: 'the hours of the file agree with those one hour earlier: send label={label}',
    tr: 'dosyadaki saatler bir saat öncekilerle uyuşuyor: label={label} ile gönderin',
  },
  HOURS_ONE_LATER_LABEL: {
    en: 'the hours of the file agree with those one hour later: send label={label}',
    tr: 'dosyadaki saatler bir saat sonrakilerle uyuşuyor: label={label} ile gönderin',
  },
  AMOUNTS_WITH_VAT: {
    en: 'the amounts of the file are {rate_pct} % higher: they seem to contain value added tax, ours do not',
    tr: 'dosyadaki tutarlar %{rate_pct} daha yüksek: KDV içeriyor görünüyor, hesaplanan tutarlar KDV içermez',
  },
})
