import pg from 'pg'

const DATE = 1082
const DATE_ARRAY = 1182

const asText = (value: string) => value
/** The parser of text[]; the driver's types name no array types. */
const TEXT_ARRAY = 1009 as Parameters<typeof pg.types.getTypeParser>[0]
const textArray = pg.types.getTypeParser(TEXT_ARRAY, 'text')

/**
 * How column values reach the code: numeric and int8 as exact text (the driver's default), `date` as text
 * too, because the default makes a Date at local midnight and so moves a billing period into the month
 * before.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary')
    if (oid === DATE) return asText
    if (oid === DATE_ARRAY) return textArray
    return pg.types.getTypeParser(oid, 'text')
  },
}
