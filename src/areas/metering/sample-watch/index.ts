export {
  addWatchMarks,
  readWatchedSamples,
  takeWatchMarks,
  type WatchMark,
  watchDevices,
} from './store.ts'
