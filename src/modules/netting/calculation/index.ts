export { calculatePeriod, type PeriodOutcome, type PeriodRequest } from './period.ts'
export { calculationRoutes } from './routes.ts'
export { calculateRange, type RangeRequest } from './service.ts'
