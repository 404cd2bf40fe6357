export { isStorageExportStrict } from './store.ts'
