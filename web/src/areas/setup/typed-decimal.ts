/** A decimal as people type it, with a comma or a point, in the form of the API. */
export const typedDecimal = (text: string): string => text.trim().replace(',', '.')
