export { cacheByAccessVersion, type Versioned } from './store.ts'
