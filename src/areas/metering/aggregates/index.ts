export { type MeteredDevice, readMeteredDevice } from './bucket-store.ts'
export { type EnergyRequest, type EnergyResult, readEnergyBulk } from './bulk-reads/energy.ts'
export { type ConsumptionTotals, readConsumption } from './consumption.ts'
export { type DeviceEnergy, readEnergy, sum } from './energy.ts'
export {
  type FigureOptions,
  type Flow,
  inKilo,
  qualitiesOf,
  qualityOfRegister,
  toEnergyFigures,
} from './energy-figures.ts'
export type { EnergyBucket } from './energy-store.ts'
export { AggregateQuery, Quality } from './schema.ts'
export { rangeOf } from './service.ts'
