export {
  isDue,
  listMonths,
  refuseSealed,
  sealMonth,
  sealOldMonths,
  unsealMonth,
} from './service.ts'
export { type MonthPartition, SEAL_CONSTRAINT, sealedAmong } from './store.ts'
