import { readFile } from 'node:fs/promises'
import { packageFile } from '../../../platform/files/package-file.ts'

/** `seed/profiles/solar-2024.csv`: a comment, then a line of 24 values for each day of a leap year. */
export async function readSolarShape(): Promise<number[]> {
  const text = await readFile(packageFile('seed/profiles/solar-2024.csv'), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.flatMap((line) => line.split(',').map(Number))
}
