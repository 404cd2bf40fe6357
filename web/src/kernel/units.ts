/** Units as meters send them. */

/** The text of a unit; that of a ratio, such as a power factor, is `1` and is not shown. */
export const unitText = (unit: string | null | undefined): string => (unit === '1' ? '' : (unit ?? ''))

/** A value with its unit. */
export const withUnit = (value: string, unit: string | null | undefined): string =>
  `${value} ${unitText(unit)}`.trimEnd()
