export { type MeteredDevice, readMeteredDevice } from './bucket-store.ts'
export {
  type EnergyRequest,
  type EnergyResult,
  readEnergyBulk,
} from './bulk-reads/energy.ts'
export { type ConsumptionTotals, readConsumption } from './consumption.ts'
export { type DeviceEnergy, readEnergy, sum } from './energy.ts'
export { inKilo, toEnergyFigures } from './energy-figures.ts'
export type { EnergyBucket } from './energy-store.ts'
export { aggregateRoutes } from './routes.ts'
export { AggregateQuery } from './schema.ts'
export { rangeOf } from './service.ts'
