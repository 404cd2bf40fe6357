export {
  type BillSlice,
  type BillTariff,
  COST_REASONS,
  openBooks,
  type PricedPart,
  priceSlices,
} from './bill.ts'
export { ABONE_GRUBU, type CreatePrice, VOLTAGE_LEVELS } from './schema.ts'
export { type Actor, addPrices, approveSet, createSet } from './service.ts'
export { approvedPrices } from './store.ts'
