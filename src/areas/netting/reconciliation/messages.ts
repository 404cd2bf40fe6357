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

/** Why a row or cell of the file was skipped. */
export const CELL_TEXTS = messages({
  CELL_AMOUNT_TYPE_UNKNOWN: {
    en: 'amount_type says which amount this is: matched, bedelli, skb, sktt or mesken',
    tr: 'amount_type tutarın türünü belirtmeli: matched, bedelli, skb, sktt veya mesken',
  },
  CELL_NOT_NUMBER: {
    en: 'is no number with a decimal {mark}',
    tr: 'ondalığı {mark:word} ayrılmış bir sayı değil',
  },
  CELL_OF_OTHER_MONTH: { en: 'is not the month {month:month}', tr: 'istenen ay değil ({month:month})' },
  CELL_HOUR_WITHOUT_DATE: { en: 'an hour needs a date', tr: 'saat için tarih gerekir' },
  CELL_NO_DATE: {
    en: 'is no date such as 05.11.2026 or 2026-11-05',
    tr: 'tarih değil; örnek: 05.11.2026 veya 2026-11-05',
  },
  CELL_OUTSIDE_OF_MONTH: { en: 'lies outside of {month:month}', tr: 'istenen ayın dışında ({month:month})' },
  CELL_FACILITY_UNKNOWN: {
    en: '"{facility}" is no facility of the group in this month',
    tr: '"{facility}" bu ay grubun bir tesisi değil',
  },
  CELL_NOT_BY_FACILITY: {
    en: 'is not known by facility: leave the facility empty, or give matched_try or sktt_try',
    tr: 'tesis bazında hesaplanmaz: tesisi boş bırakın ya da matched_try veya sktt_try verin',
  },
  CELL_OF_RESIDENTIAL_GROUP: {
    en: 'a residential group is netted by the month: give it in a row of the month',
    tr: 'mesken grubu aylık mahsuplaşır: ay satırında verin',
  },
  CELL_REPEATED: {
    en: 'says again what row {first_row} has said',
    tr: '{first_row}. satırdaki bilgi yineleniyor',
  },
})

/** Why an invoice cannot be read. */
export const INVOICE_TEXTS = messages({
  E_FATURA_NO_INVOICE: {
    en: 'the XML is no e-Fatura: its root is {element}, not Invoice',
    tr: 'XML bir e-Fatura değil: kök öğesi Invoice değil, {element}',
  },
  INVOICE_WITHOUT_DIFFERENCE: {
    en: 'no line of the invoice differs, so there is nothing to object to',
    tr: 'faturanın hiçbir satırı farklı değil; itiraz edilecek bir şey yok',
  },
  INVOICE_MAPPING_TAKEN: {
    en: 'the supplier has a mapping for this layout; change that one',
    tr: 'tedarikçinin bu düzen için eşlemesi var; onu değiştirin',
  },
  INVOICE_MAPPINGS_KEPT: {
    en: '{max} mappings are stored; delete one first',
    tr: '{max} eşleme saklanıyor; önce birini silin',
  },
  INVOICE_MAPPING_REPEATED: {
    en: '"{source}" is mapped twice',
    tr: '"{source}" iki kez eşlenmiş',
  },
  INVOICE_CHECKS_KEPT: {
    en: '{max} checks are stored; delete some first',
    tr: '{max} kontrol saklanıyor; önce bazılarını silin',
  },
  INVOICE_CHECKS_SIZE: {
    en: 'the stored checks take {max_mib} MiB; delete some first',
    tr: 'saklanan kontroller {max_mib} MiB yer tutuyor; önce bazılarını silin',
  },
  INVOICE_CHECKS_OF_OTHER_FILES: {
    en: 'the checks are of different groups or months',
    tr: 'kontroller farklı grup veya aylara ait',
  },
  INVOICE_OBJECTION_NOT_SENT: {
    en: 'an objection is sent before it is answered',
    tr: 'itiraz yanıtlanmadan önce gönderilir',
  },
  INVOICE_OBJECTION_STEPS: {
    en: 'an objection has at most {max} steps',
    tr: 'bir itirazın en çok {max} adımı olabilir',
  },
  INVOICE_NOTHING_TO_COMPARE: {
    en: 'the check repeats no other one: name one with the parameter with',
    tr: 'kontrol başka bir kontrolün yinelemesi değil: with parametresiyle birini belirtin',
  },
  INVOICE_OBJECTION_DATE: {
    en: 'the day lies in the future',
    tr: 'gün gelecekte',
  },
  E_FATURA_CURRENCY: {
    en: 'the invoice is in {currency}, not in TRY',
    tr: 'fatura TRY değil, {currency} cinsinden',
  },
  E_FATURA_RETURN: {
    en: 'it is a return invoice (IADE), which takes an earlier one back: check the invoice that replaces both',
    tr: 'bu bir iade faturası (IADE): ikisinin yerine geçen faturayı denetleyin',
  },
  E_FATURA_NOT_HOURLY: {
    en: 'the period of the line does not begin with an hour',
    tr: 'satırın dönemi saat başında başlamıyor',
  },
})
