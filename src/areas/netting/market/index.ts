export { type MarketPulls, makeMarketPulls } from './pulls.ts'
export { rotateCredentials } from './rotation.ts'
