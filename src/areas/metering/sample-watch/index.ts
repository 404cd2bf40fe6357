export {
  addWatchMarks,
  hasSentMetric,
  readWatchedSamples,
  takeWatchMarks,
  type WatchMark,
  watchDevices,
} from './store.ts'
