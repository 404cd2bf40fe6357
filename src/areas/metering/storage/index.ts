export { clearOrphanedSamples, deleteDeviceTelemetry } from './deleted-devices-store.ts'
export {
  assertNotSealed,
  isSealDue,
  listMonths,
  sealMonth,
  sealOldMonths,
  unsealMonth,
} from './service.ts'
export {
  findSealed as sealedAmong,
  findSealedByConnection,
  lockMonthByConnection,
  type MonthPartition,
  readSealedSamples,
  SEAL_CONSTRAINT,
  type SealedSamples,
  tryShareStorage,
} from './store.ts'
