export { GROUP_STALE_FIELDS, STALE_FIELDS, staleFields } from './schema.ts'
export {
  isStale,
  listMarkedGroups,
  listMarks,
  listNewMarks,
  markBalances,
  noticeMarks,
  readStale,
  readStaleRuns,
  removeHours,
  type StalePeriod,
} from './store.ts'
