import { readFileSync } from 'node:fs'

/** The version of the package, read from beside `src` or `dist`. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
