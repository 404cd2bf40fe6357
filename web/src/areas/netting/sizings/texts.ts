import { messages } from '../../../../../src/kernel/messages.ts'

/** Texts of the pages of sizings. */
export const SIZING_PAGE_TEXTS = messages({
  SIZINGS: { en: 'Sizings', tr: 'Boyutlandırmalar' },
  SIZINGS_ONE: { en: 'Sizing', tr: 'Boyutlandırma' },
  SIZINGS_NEW: { en: 'New sizing', tr: 'Yeni boyutlandırma' },
  SIZINGS_NONE: { en: 'No sizing yet', tr: 'Henüz boyutlandırma yok' },
  SIZINGS_HELP: {
    en: 'A scenario is calculated for each size of one change: a factor of a plant or load, kW of a new plant, or kWh of a battery.',
    tr: 'Bir değişikliğin her boyutu için bir senaryo hesaplanır: bir santral ya da yükün katsayısı, yeni bir santralin kW’ı ya da bir bataryanın kWh’i.',
  },
  SIZINGS_CHANGE: { en: 'Change whose size varies', tr: 'Boyutu değişen değişiklik' },
  SIZINGS_NO_CHANGES: {
    en: 'No change yet: add the one whose size varies.',
    tr: 'Henüz değişiklik yok: boyutu değişecek olanı ekleyin.',
  },
  SIZINGS_FROM: { en: 'Smallest size', tr: 'En küçük boyut' },
  SIZINGS_TO: { en: 'Largest size', tr: 'En büyük boyut' },
  SIZINGS_STEP: { en: 'Step', tr: 'Adım' },
  SIZINGS_FIXED: { en: 'Investment of any size, TL', tr: 'Her boyutun yatırımı, TL' },
  SIZINGS_PER_UNIT: { en: 'Investment of one unit, TL', tr: 'Bir birimin yatırımı, TL' },
  SIZINGS_CREATE: { en: 'Calculate the sizes', tr: 'Boyutları hesapla' },
  SIZINGS_PROGRESS: { en: '{done} of {total} sizes', tr: '{total} boyuttan {done} tanesi' },
  SIZINGS_SIZE: { en: 'Size ({unit})', tr: 'Boyut ({unit})' },
  SIZINGS_FACTOR: { en: 'factor', tr: 'katsayı' },
  SIZINGS_BINDING: { en: 'The limit binds from {size} on', tr: 'Limit {size} boyutundan itibaren yetmiyor' },
  SIZINGS_NEVER_BINDS: { en: 'The limit is enough for every size', tr: 'Limit her boyut için yeterli' },
  SIZINGS_BEST: { en: 'Largest benefit at {size}', tr: 'En büyük fayda {size} boyutunda' },
  SIZINGS_POINTS: { en: 'Result by size', tr: 'Boyuta göre sonuç' },
  SIZINGS_CURVE: { en: 'Benefit over the size, TL', tr: 'Boyuta göre fayda, TL' },
  SIZINGS_COST: { en: 'Investment', tr: 'Yatırım' },
  SIZINGS_PAYBACK: { en: 'Payback, years', tr: 'Geri ödeme, yıl' },
})
