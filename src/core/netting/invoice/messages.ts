import { messages } from '../../../kernel/messages.ts'

/** Why a line of an invoice differs from the results. */
export const CAUSE_TEXTS = messages({
  INVOICE_HOURS_MISSING: {
    en: 'the quantity lacks exactly {hours}',
    tr: 'miktarda tam olarak {hours} eksik',
  },
  INVOICE_HOURS_TWICE: {
    en: 'the quantity contains {hours} twice',
    tr: 'miktarda {hours} iki kez sayılmış',
  },
  INVOICE_HOURS_SHIFTED: {
    en: 'the hours of the invoice are shifted by {hours} hour',
    tr: 'faturadaki saatler {hours} saat kaymış',
  },
  INVOICE_HOUR_DIFFERS: {
    en: 'the energy of {time} differs',
    tr: '{time} zamanının enerjisi farklı',
  },
  INVOICE_QUANTITY_DIFFERS: { en: 'the quantity differs', tr: 'miktar farklı' },
  INVOICE_UNIT_DIFFERS: {
    en: 'the quantity differs by a factor of 1,000: MWh and kWh are confused',
    tr: 'miktar 1.000 kat farklı: MWh ile kWh karışmış',
  },
  INVOICE_LIMIT_DIFFERS: {
    en: 'the sum of paid and over-limit surplus agrees, its division at the limit does not',
    tr: 'bedelli ve limit üstü fazlanın toplamı uyuşuyor, limitle ayrımı uyuşmuyor',
  },
  INVOICE_PRICE_OF_OTHER_ROW: {
    en: 'the price is that of another tariff row: {row}',
    tr: 'fiyat başka bir tarife satırının fiyatı: {row}',
  },
  INVOICE_PRICE_UNKNOWN: {
    en: 'no approved tariff row has the price of the invoice',
    tr: 'faturadaki fiyat onaylı hiçbir tarife satırında yok',
  },
  INVOICE_TIER_PRICE: {
    en: 'the price is that of step {step}',
    tr: 'fiyat {step}. kademenin fiyatı',
  },
  INVOICE_TIER_QUANTITY: {
    en: 'the energy of all steps agrees, its division into steps does not',
    tr: 'kademelerin toplam enerjisi uyuşuyor, kademelere dağılımı uyuşmuyor',
  },
  INVOICE_AMOUNT_WITH_VAT: {
    en: 'the amount contains {rate_pct} % value added tax',
    tr: 'tutar %{rate_pct} KDV içeriyor',
  },
  INVOICE_VAT_RATE: {
    en: 'value added tax of {rate_pct} % is not the rate that applies ({expected_pct} %)',
    tr: 'KDV oranı %{rate_pct}; geçerli oran %{expected_pct}',
  },
  INVOICE_VAT_AMOUNT: {
    en: 'the value added tax is not {rate_pct} % of the amount',
    tr: 'KDV tutarı, tutarın %{rate_pct} kadarı değil',
  },
  INVOICE_FUND_NOT_DUE: {
    en: 'the charge has not been due since 1 January 2022',
    tr: 'bu bedel 1 Ocak 2022 tarihinden beri alınmıyor',
  },
  INVOICE_FUND_RATE: {
    en: 'the rate {rate_pct} % is not the one that applies ({expected_pct} %)',
    tr: 'oran %{rate_pct}; geçerli oran %{expected_pct}',
  },
  INVOICE_FUND_AMOUNT: {
    en: 'the charge is not {rate_pct} % of its base',
    tr: 'bedel, matrahın %{rate_pct} kadarı değil',
  },
  INVOICE_LINE_ARITHMETIC: {
    en: 'the figures of the line contradict each other',
    tr: 'satırın rakamları birbiriyle çelişiyor',
  },
  INVOICE_SUM_DIFFERS: {
    en: 'it is not the sum of the lines of the invoice',
    tr: 'fatura satırlarının toplamına eşit değil',
  },
  INVOICE_PRICE_ROUNDED: {
    en: 'the amount is calculated with the rounded price',
    tr: 'tutar yuvarlanmış fiyatla hesaplanmış',
  },
  INVOICE_LINE_TWICE: {
    en: 'the line repeats line {line}',
    tr: 'satır, {line}. satırın yinelenmesi',
  },
  INVOICE_AMOUNT_DIFFERS: { en: 'the amount differs', tr: 'tutar farklı' },
})

/** Why a line of an invoice can be neither confirmed nor disputed. */
export const UNDECIDABLE_TEXTS = messages({
  INVOICE_KIND_UNKNOWN: {
    en: 'the charge is not understood; a mapping can name it',
    tr: 'kalem anlaşılamadı; bir eşleme ile belirtilebilir',
  },
  INVOICE_NOT_CALCULATED: {
    en: 'nothing is calculated for this time',
    tr: 'bu zaman için hesaplanmış sonuç yok',
  },
  INVOICE_FACILITY_UNKNOWN: {
    en: 'the facility is not one of the group in this month',
    tr: 'tesis, bu ay grubun bir tesisi değil',
  },
  INVOICE_NOT_BY_FACILITY: {
    en: 'the charge is not calculated by facility',
    tr: 'bu kalem tesis bazında hesaplanmaz',
  },
  INVOICE_BY_MONTH_ONLY: {
    en: 'a residential group is netted by the month',
    tr: 'mesken grubu aylık mahsuplaşır',
  },
  INVOICE_VALUE_UNKNOWN: {
    en: 'the energy is unknown, because a reading is missing',
    tr: 'okuma eksik olduğundan enerji bilinmiyor',
  },
  INVOICE_PRICE_MISSING: {
    en: 'no approved price applies, so the amount is unknown',
    tr: 'onaylı fiyat bulunmadığından tutar bilinmiyor',
  },
  INVOICE_AMOUNT_NOT_CALCULATED: {
    en: 'the service does not calculate this amount',
    tr: 'hizmet bu tutarı hesaplamaz',
  },
  INVOICE_RATE_UNKNOWN: {
    en: 'the rate depends on the subscriber group, which is unknown or not the same for all consumers',
    tr: 'oran abone grubuna bağlı; abone grubu bilinmiyor veya bütün tüketicilerde aynı değil',
  },
  INVOICE_BASE_UNKNOWN: {
    en: 'the base of the charge is not stated',
    tr: 'bedelin matrahı belirtilmemiş',
  },
  INVOICE_SUM_UNKNOWN: {
    en: 'not every line states the figures of the sum',
    tr: 'toplamın rakamları her satırda belirtilmemiş',
  },
  INVOICE_LINE_NEGATIVE: {
    en: 'the line is negative: a deduction or a correction, which the results of the month do not have',
    tr: 'satır eksi: ayın sonuçlarında bulunmayan bir indirim veya düzeltme',
  },
  INVOICE_LINE_EMPTY: {
    en: 'the line states no figure that can be compared',
    tr: 'satırda karşılaştırılabilecek rakam yok',
  },
})
