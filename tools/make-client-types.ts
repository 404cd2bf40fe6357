/** Writes clients/typescript/src/api.ts from docs/api/openapi.json. */
import { readFile, writeFile } from 'node:fs/promises'
import { CLIENT_TYPES_FILE, clientTypesText } from './client-types.ts'
import { OPENAPI_FILE } from './openapi-document.ts'

await writeFile(
  CLIENT_TYPES_FILE,
  clientTypesText(JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as object),
)
