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
  type MonthPartition,
  SEAL_CONSTRAINT,
  tryShareStorage,
} from './store.ts'
