/** Parameters of a path that count within the record before them, so that they name no record of a tenant. */
const NUMBERS: ReadonlySet<string> = new Set(['version'])

/** The ids in the path of a route, in their order. */
export const idsInPath = (url: string): string[] =>
  [...url.matchAll(/:([a-z_]+)/g)].flatMap(([, name = '']) => (NUMBERS.has(name) ? [] : [name]))
