export {
  isDue,
  listMonths,
  refuseSealed,
  StorageRefusal,
  sealMonth,
  sealOldMonths,
  unsealMonth,
} from './service.ts'
export { type MonthPartition, SEAL_CONSTRAINT, sealedAmong } from './store.ts'
