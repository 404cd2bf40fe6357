export {
  type BillSlice,
  type BillTariff,
  COST_REASONS,
  openBooks,
  type PricedPart,
  priceSlices,
} from './bill.ts'
export { readImport } from './import.ts'
export { importFile, RowsRefused } from './import-file.ts'
export { TARIFF_IMPORT_BYTES_MAX } from './limits.ts'
export { ABONE_GRUBU, type CreatePrice, VOLTAGE_LEVELS } from './schema.ts'
export { type Actor, addPrices, approveSet, createSet } from './service.ts'
export { ensureShippedTariffs } from './shipped.ts'
export { approvedPrices } from './store.ts'
