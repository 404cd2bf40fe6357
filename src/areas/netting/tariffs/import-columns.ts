/** The columns of an import in the order of the template; the first five are required. */
export const REQUIRED_HEADERS = [
  'valid_from',
  'billing_period',
  'abone_grubu',
  'price_purpose',
  'price',
] as const
const OPTIONAL_HEADERS = [
  'valid_to',
  'gerilim_seviyesi',
  'tariff_code',
  'tariff_class',
  'time_segment',
  'step_no',
  'unit',
  'source_note',
] as const
export const HEADERS = [...REQUIRED_HEADERS, ...OPTIONAL_HEADERS] as const
export type Header = (typeof HEADERS)[number]

const headers: ReadonlySet<string> = new Set(HEADERS)
export const isHeader = (text: string): text is Header => headers.has(text)
