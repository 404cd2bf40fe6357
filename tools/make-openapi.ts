/** Writes docs/api/openapi.json; its diff is a change of the contract. */
import { writeFile } from 'node:fs/promises'
import { OPENAPI_FILE, openapiDocument, openapiText } from './openapi-document.ts'

await writeFile(OPENAPI_FILE, openapiText(await openapiDocument()))
