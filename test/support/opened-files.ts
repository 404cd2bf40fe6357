import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Fields separated by semicolons, texts in quotes, UTF-8, figures with all their digits. */
const CSV_FILTER = 'csv:Text - txt - csv (StarCalc):59,34,76,1'

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'netsaat-opened-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The cells of workbooks as LibreOffice (soffice) shows them, in one start of it: seconds of processor time. */
export const sheetsOf = (workbooks: readonly Buffer[]): Promise<string[][][]> =>
  inFolder(async (folder) => {
    const names = workbooks.map((_, index) => join(folder, `${index}.xlsx`))
    await Promise.all(workbooks.map((bytes, index) => writeFile(names[index] ?? '', bytes)))
    await run('soffice', [
      ...[`-env:UserInstallation=file://${join(folder, 'profile')}`, '--headless', '--convert-to'],
      ...[CSV_FILTER, '--outdir', folder, ...names],
    ])
    const texts = await Promise.all(names.map((name) => readFile(name.replace('.xlsx', '.csv'), 'utf8')))
    return texts.map((text) => text.trimEnd().split('\n').map(cellsOf))
  })

const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )

/** The text of a PDF (pdftotext), each line as it is on the page, with one space between words. */
export const linesOfPdf = (bytes: Buffer): Promise<string[]> =>
  inFolder(async (folder) => {
    const file = join(folder, 'file.pdf')
    await writeFile(file, bytes)
    const { stdout } = await run('pdftotext', ['-layout', file, '-'])
    return stdout.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '))
  })
