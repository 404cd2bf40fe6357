import { readFileSync } from 'node:fs'
import { packageFile } from '../files/package-file.ts'

/** The version of the package, read from beside `src` or `dist`. */
export function packageVersion(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
