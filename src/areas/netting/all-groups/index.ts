export { runBulkGroup } from './runner.ts'
export { listWaiting as listWaitingBulkGroups, type WaitingGroup } from './store.ts'
