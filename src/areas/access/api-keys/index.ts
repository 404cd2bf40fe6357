export { makeApiKeyLookup } from './lookup.ts'
