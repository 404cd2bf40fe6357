import { existsSync } from 'node:fs'

/**
 * Finds the root of the package, which contains files such as migrations and seed data. It is the nearest
 * parent folder with a package.json, because the program runs from `src`, from `dist` or from a folder
 * below it.
 */
function findPackageRoot(): URL {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder
    if (folder.pathname === '/') throw new Error('the package.json of this program is missing')
  }
}

const ROOT = findPackageRoot()

/**
 * Returns the URL of a file or folder (with a trailing slash) of the package, by its path from the root of
 * the package.
 */
export const packageFile = (path: string): URL => new URL(path, ROOT)
