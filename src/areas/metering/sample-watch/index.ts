export { type Marked, markDevices, readWatchedSamples, takeWatchMarks, watchDevices } from './store.ts'
