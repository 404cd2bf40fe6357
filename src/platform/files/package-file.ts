import { existsSync } from 'node:fs'

/**
 * Finds files that the package carries beside its program, such as migrations and seed data. The folder of the package
 * is the nearest one upwards with a package.json: the program runs from `src`, from `dist` or from a folder below it.
 */
function findPackageRoot(): URL {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder
    if (folder.pathname === '/') throw new Error('the package.json of this program is missing')
  }
}

const ROOT = findPackageRoot()

/** The URL of a file or folder (with a slash at its end) of the package, by its path from the root of the package. */
export const packageFile = (path: string): URL => new URL(path, ROOT)
