export { ReactiveRatio } from './schema.ts'
export { toMeterAmounts, toReactiveRatio } from './service.ts'
export { findSubregion } from './store.ts'
