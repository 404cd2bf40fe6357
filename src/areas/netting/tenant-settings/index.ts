export { isStorageExportStrict, readSettings } from './store.ts'
