import { messages } from '../../../kernel/messages.ts'

export const KEY_FIGURE_TEXTS = messages({
  SYSTEM_USAGE_FEE_ROWS_WITHOUT_PRICE: {
    en: '{group} in {period:month}: {rows} rows of the system usage fee have no price and are not in its sum',
    tr: '{group}, {period:month}: sistem kullanım bedelinin {rows} satırında fiyat yok; bu satırlar toplama dahil değil',
  },
  RESIDENTIAL_ROWS_WITHOUT_PRICE: {
    en: '{group} in {period:month}: {rows} rows of the residential amount have no price and are not in its sum',
    tr: '{group}, {period:month}: mesken tutarının {rows} satırında fiyat yok; bu satırlar toplama dahil değil',
  },
})
