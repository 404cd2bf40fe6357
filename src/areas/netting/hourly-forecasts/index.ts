export { computeHourlyForecasts } from './runner.ts'
export { latestSeries } from './store.ts'
