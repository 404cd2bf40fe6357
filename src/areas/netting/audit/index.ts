export { type Replay, ReplayError, replayPackage } from './replay.ts'
